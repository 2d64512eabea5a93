import HarnessWire
import SourceText

/// JSON whose members stay in the order in which they are written; members that are `nil` are left
/// out.
package enum OrderedJSON {
  case string(String)
  case integer(Int)
  /// Written as `null` where it is no finite number.
  case number(Double)
  case bool(Bool)
  case null
  case array([OrderedJSON])
  case object([(String, OrderedJSON)])
  /// What an app said: its keys and numbers are masked as its strings are. Members are sorted.
  case foreign(JSONValue)

  /// One line, without the newline.
  package func line(through outlet: Outlet = Outlet()) -> [UInt8] {
    var bytes: [UInt8] = []
    append(to: &bytes, outlet)
    return bytes
  }

  private func append(to bytes: inout [UInt8], _ outlet: Outlet) {
    switch self {
    case .string(let text): JSONText.append(outlet.masked(text), to: &bytes)
    case .foreign(let value): OrderedJSON(value, outlet).append(to: &bytes, outlet)
    case .integer(let value): bytes.append(contentsOf: "\(value)".utf8)
    case .number(let value): bytes.append(contentsOf: (value.isFinite ? "\(value)" : "null").utf8)
    case .bool(let value): bytes.append(contentsOf: "\(value)".utf8)
    case .null: bytes.append(contentsOf: "null".utf8)
    case .array(let elements):
      Self.append(elements, between: "[", "]", to: &bytes) { $0.append(to: &$1, outlet) }
    case .object(let members):
      Self.append(members, between: "{", "}", to: &bytes) { member, bytes in
        JSONText.append(member.0, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        member.1.append(to: &bytes, outlet)
      }
    }
  }

  private static func append<Element>(
    _ elements: [Element], between opening: Unicode.Scalar, _ closing: Unicode.Scalar,
    to bytes: inout [UInt8], _ appendElement: (Element, inout [UInt8]) -> Void
  ) {
    bytes.append(UInt8(ascii: opening))
    for (index, element) in elements.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      appendElement(element, &bytes)
    }
    bytes.append(UInt8(ascii: closing))
  }
}

extension OrderedJSON {
  private init(_ value: JSONValue, _ outlet: Outlet) {
    func number(_ number: OrderedJSON, _ text: String) -> OrderedJSON {
      outlet.masked(text) == text ? number : .string(text)
    }
    self =
      switch value {
      case .null: .null
      case .bool(let value): .bool(value)
      case .integer(let value): number(.integer(value), "\(value)")
      case .number(let value): number(.number(value), "\(value)")
      case .string(let value): .string(value)
      case .array(let elements): .array(elements.map(OrderedJSON.foreign))
      case .object(let members):
        .object(
          members.sorted { $0.key < $1.key }.map { (outlet.masked($0.key), .foreign($0.value)) })
      }
  }

  /// Whole milliseconds are enough for people, and short.
  static func seconds(_ duration: Duration) -> OrderedJSON {
    .number((duration / .milliseconds(1)).rounded() / 1000)
  }

  static func strings(_ texts: [String]) -> OrderedJSON { .array(texts.map(OrderedJSON.string)) }

  /// Of an object; none of anything else.
  var members: [(String, OrderedJSON)] {
    if case .object(let members) = self { members } else { [] }
  }
}

extension OrderedJSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByDictionaryLiteral
{
  package init(stringLiteral value: String) { self = .string(value) }
  package init(integerLiteral value: Int) { self = .integer(value) }
  package init(booleanLiteral value: Bool) { self = .bool(value) }
  package init(dictionaryLiteral elements: (String, OrderedJSON?)...) {
    self = .object(elements.compactMap { name, value in value.map { (name, $0) } })
  }
}

/// Strings of JSON.
///
/// What could move a cursor, turn a line around or hide in it is written as an escape: a reader gets
/// the same text, and a terminal that shows the file is safe.
enum JSONText {
  static func append(_ text: String, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    if text.utf8.allSatisfy(isPlain), !text.utf8.contains(UInt8(ascii: "#")) {
      bytes.append(contentsOf: text.utf8)
    } else {
      var previous: Unicode.Scalar = " "
      for scalar in text.unicodeScalars {
        // `##` is a part of the marks by which CI servers know a command.
        if previous == "#", scalar == "#" {
          bytes.append(contentsOf: escape(0x23).utf8)
        } else {
          append(scalar, to: &bytes)
        }
        previous = scalar
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    (0x20..<0x7F).contains(byte) && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
  }

  private static func append(_ scalar: Unicode.Scalar, to bytes: inout [UInt8]) {
    switch scalar {
    case "\"": bytes.append(contentsOf: #"\""#.utf8)
    case "\\": bytes.append(contentsOf: #"\\"#.utf8)
    case "\n": bytes.append(contentsOf: #"\n"#.utf8)
    case "\r": bytes.append(contentsOf: #"\r"#.utf8)
    case "\t": bytes.append(contentsOf: #"\t"#.utf8)
    case _ where DisplayText.isDangerous(scalar):
      for unit in scalar.utf16 { bytes.append(contentsOf: escape(unit).utf8) }
    default: bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
    }
  }

  private static func escape(_ unit: UInt16) -> String {
    let digits = String(unit, radix: 16)
    return #"\u"# + String(repeating: "0", count: 4 - digits.count) + digits
  }
}
