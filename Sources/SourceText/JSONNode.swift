/// A JSON value with its place in the file.
package struct JSONNode: Sendable {
  package indirect enum Value: Sendable {
    case null
    case bool(Bool)
    /// The number as it is written.
    case number(String)
    case string(String)
    case array([JSONNode])
    case object([JSONMember])
    /// What can't be read; it has been reported, so nobody else needs to complain.
    case invalid
  }

  package var value: Value
  package var location: SourceLocation
  /// Where the value is a string that was replaced whole by a variable: that variable.
  ///
  /// `value` is then its text, and where a number or a boolean is wanted, that text may supply it.
  package var variable: JSONVariable?

  package init(_ value: Value, at location: SourceLocation) {
    self.value = value
    self.location = location
  }
}

/// The variable that supplied a value.
package final class JSONVariable: Sendable {
  package let name: String
  /// As it was defined: a number, a boolean or a string.
  package let value: JSONNode.Value
  /// Where its value stands.
  package let location: SourceLocation

  package init(name: String, value: JSONNode.Value, location: SourceLocation) {
    self.name = name
    self.value = value
    self.location = location
  }
}

/// A key of an object with its value; equal keys are all kept, in the file's order.
package struct JSONMember: Sendable {
  package var key: String
  package var keyLocation: SourceLocation
  package var value: JSONNode

  package init(key: String, keyLocation: SourceLocation, value: JSONNode) {
    self.key = key
    self.keyLocation = keyLocation
    self.value = value
  }
}

extension JSONNode {
  package var stringValue: String? {
    if case .string(let text) = value { text } else { nil }
  }

  package var arrayValue: [JSONNode]? {
    if case .array(let elements) = value { elements } else { nil }
  }

  package var objectValue: [JSONMember]? {
    if case .object(let members) = value { members } else { nil }
  }

  /// The first member with a key.
  package subscript(key: String) -> JSONNode? {
    objectValue?.first { $0.key == key }?.value
  }

  package var isInvalid: Bool {
    if case .invalid = value { true } else { false }
  }
}

extension JSONNode {
  /// In a longer string with escape sequences no place is looked for.
  private static let searchedLiteralBytes = 64 * 1024

  /// The place of a part of a string, given by UTF-8 offsets into its content.
  ///
  /// Where a variable has supplied a part of it, content and file differ: then it is the place of the
  /// whole string.
  package func location(ofContent range: Range<Int>) -> SourceLocation {
    guard variable == nil, let text = stringValue, location.range.count >= 2 else {
      return location
    }
    let literal = location.range.lowerBound + 1..<location.range.upperBound - 1
    // Without an escape sequence, each of which is longer than what it means, offsets stay what they are.
    if literal.count == text.utf8.count {
      let start = literal.lowerBound + min(range.lowerBound, literal.count)
      let end = literal.lowerBound + min(range.upperBound, literal.count)
      return SourceLocation(file: location.file, range: start..<max(start, end))
    }
    guard literal.count <= Self.searchedLiteralBytes else { return location }
    var (start, end) = (literal.upperBound, literal.upperBound)
    var content = 0
    var at = literal.lowerBound
    while at < literal.upperBound {
      let (written, meant) = Self.unit(in: location.file.bytes[at..<literal.upperBound])
      // The unit that a bound falls into belongs to the part.
      if content <= range.lowerBound { start = at }
      if content < range.upperBound { end = at + written }
      content += meant
      at += written
    }
    guard content == text.utf8.count else { return location }
    if range.lowerBound >= content { start = literal.upperBound }
    return SourceLocation(file: location.file, range: start..<max(start, end))
  }

  /// How many bytes a byte or an escape has at the beginning of a literal, and how many it stands for.
  private static func unit(in literal: ArraySlice<UInt8>) -> (written: Int, meant: Int) {
    guard literal.first == UInt8(ascii: "\\") else { return (1, 1) }
    guard literal.dropFirst().first == UInt8(ascii: "u") else { return (2, 1) }
    let digits = String(decoding: literal.dropFirst(2).prefix(4), as: UTF8.self)
    switch UInt32(digits, radix: 16) ?? 0 {
    case 0..<0x80: return (6, 1)
    case 0x80..<0x800: return (6, 2)
    case 0xD800..<0xDC00: return (12, 4)
    default: return (6, 3)
    }
  }
}
