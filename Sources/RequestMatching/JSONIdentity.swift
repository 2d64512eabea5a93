import JSON

/// Bytes that are the same for values that are equal whatever the order of their lists and members is.
struct JSONIdentity: Hashable {
  private let bytes: [UInt8]

  init(_ value: JSONValue) {
    bytes = Self.bytes(value)
  }

  /// Of a value with a placeholder it is none of a value that is sent.
  init(_ wanted: WantedJSON) {
    bytes = Self.bytes(wanted)
  }

  private static func bytes(_ value: JSONValue) -> [UInt8] {
    switch value {
    case .null: Array("null".utf8)
    case .bool(let value): Array("\(value)".utf8)
    case .number(let number): Array("n\(number.canonicalText);".utf8)
    case .string(let text): lengthened("s", Array(text.utf8))
    case .array(let elements): list(elements.map(bytes))
    case .object(let object): self.object(object.members.map { ($0.key, bytes($0.value)) })
    }
  }

  private static func bytes(_ wanted: WantedJSON) -> [UInt8] {
    switch wanted {
    case .scalar(let value): bytes(value)
    case .placeholder(let placeholder): lengthened("p", Array(placeholder.text.utf8))
    case .array(let elements): list(elements.map(bytes))
    case .object(let members): object(members.map { ($0.key, bytes($0.value)) })
    }
  }

  private static func list(_ elements: [[UInt8]]) -> [UInt8] {
    lengthened("a", Array(elements.sorted { $0.lexicographicallyPrecedes($1) }.joined()))
  }

  private static func object(_ members: [(key: String, value: [UInt8])]) -> [UInt8] {
    let parts = members.map { lengthened("k", Array($0.key.utf8)) + $0.value }
    return lengthened("o", Array(parts.sorted { $0.lexicographicallyPrecedes($1) }.joined()))
  }

  /// With their kind and number before them, so that they don't run into the next ones.
  private static func lengthened(_ kind: String, _ bytes: [UInt8]) -> [UInt8] {
    Array("\(kind)\(bytes.count):".utf8) + bytes
  }
}
