/// What a text may ask of its reader.
package struct JSONLimits: Sendable {
  /// How many arrays and objects may be open at once.
  package var depth: Int
  package var lengthBytes: Int
  /// Whether half of a surrogate pair alone (`"\ud83d"`, as JavaScript writes of a text that was cut)
  /// becomes U+FFFD; it is an error otherwise.
  package var replacesLoneSurrogates: Bool

  /// A length of 1 GiB, and a depth of 256: what walks through a value calls itself for each level, and
  /// the stack of a thread can be as small as 512 KiB.
  package static let standard = JSONLimits()

  package init(
    depth: Int = 256, lengthBytes: Int = 1 << 30, replacesLoneSurrogates: Bool = false
  ) {
    self.depth = depth
    self.lengthBytes = lengthBytes
    self.replacesLoneSurrogates = replacesLoneSurrogates
  }
}

/// Why a text isn't JSON, and where.
public struct JSONError: Error, Sendable, Hashable {
  package enum Wanted: String, Sendable {
    case value = "a value"
    case object = "an object"
    case array = "an array"
    case string = "a string"
    case key = "a key"
    case colon = "a colon"
    case commaOrBrace = "a comma or }"
    case commaOrBracket = "a comma or ]"
    case digit = "a digit"
    case closingQuote = "a closing quotation mark"
    case closingBracket = "a closing bracket"
    case end = "nothing more"
  }

  package enum Reason: Sendable, Hashable {
    case expected(Wanted)
    case endOfText(Wanted)
    case controlCharacter(UInt8)
    case invalidEscape
    case loneSurrogate
    case invalidUTF8
    case tooDeep(limit: Int)
    case tooLong(limit: Int)
  }

  package var reason: Reason
  /// In the text's bytes, counted from 0.
  package var offset: Int

  package init(_ reason: Reason, at offset: Int) {
    self.reason = reason
    self.offset = offset
  }
}

extension JSONError: CustomStringConvertible {
  public var description: String { "\(reason) at byte \(offset)" }
}

extension JSONError.Reason: CustomStringConvertible {
  package var description: String {
    switch self {
    case .expected(let wanted): "expected \(wanted.rawValue)"
    case .endOfText(let wanted): "the text ends where \(wanted.rawValue) is expected"
    case .controlCharacter(let byte):
      "a string has the control character U+00\(byte < 16 ? "0" : "")"
        + "\(String(byte, radix: 16, uppercase: true)), which must be escaped"
    case .invalidEscape: "invalid escape"
    case .loneSurrogate: "half of a surrogate pair alone"
    case .invalidUTF8: "a string isn't valid UTF-8"
    case .tooDeep(let limit): "nested deeper than \(limit) levels"
    case .tooLong(let limit): "longer than \(limit) bytes"
    }
  }
}

extension JSONValue {
  /// Reads one JSON text: no comments, no trailing commas, no byte-order mark, nothing after it.
  ///
  /// - Throws: `JSONError`, also for more than 256 levels or 1 GiB.
  public init(parsing bytes: some Sequence<UInt8>) throws(JSONError) {
    try self.init(parsing: bytes, limits: .standard)
  }

  public init(parsing text: String) throws(JSONError) {
    try self.init(parsing: text.utf8, limits: .standard)
  }

  package init(
    parsing bytes: some Sequence<UInt8>, limits: JSONLimits
  ) throws(JSONError) {
    let result =
      bytes.withContiguousStorageIfAvailable { Self.parse($0, limits) }
      ?? Array(bytes).withUnsafeBufferPointer { Self.parse($0, limits) }
    self = try result.get()
  }

  package init(parsing text: String, limits: JSONLimits) throws(JSONError) {
    try self.init(parsing: text.utf8, limits: limits)
  }

  private static func parse(
    _ bytes: UnsafeBufferPointer<UInt8>, _ limits: JSONLimits
  ) -> Result<JSONValue, JSONError> {
    Result { () throws(JSONError) in
      guard bytes.count <= limits.lengthBytes else {
        throw JSONError(.tooLong(limit: limits.lengthBytes), at: limits.lengthBytes)
      }
      var reader = JSONReader(bytes, limits: limits)
      let value = try reader.value()
      try reader.finish()
      return value
    }
  }
}

extension JSONReader {
  /// Any value, decoded.
  package mutating func value() throws(JSONError) -> JSONValue {
    switch try nextKind() {
    case .object:
      var members: [JSONObject.Member] = []
      try enterObject()
      while let key = try nextKey() { members.append(.init(decoded(key), try value())) }
      return .object(JSONObject(members))
    case .array:
      var elements: [JSONValue] = []
      try enterArray()
      while try nextElement() { elements.append(try value()) }
      return .array(elements)
    case .string: return .string(decoded(try string()))
    case .number:
      return .number(JSONNumber(unchecked: decoded(Text(range: try number()))))
    case .bool: return .bool(try bool())
    case .null:
      try null()
      return .null
    }
  }
}
