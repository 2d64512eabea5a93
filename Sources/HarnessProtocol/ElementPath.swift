/// A path to an element: segments joined by `/`, each `[type:]identifier[index]`.
///
/// `SearchResultViewController/cell:MyItemCell[0]/cartButton`: each segment is any descendant of the
/// one before it, as in an XCUITest query; type and index are optional. A backslash takes the meaning
/// from a `/`, `:`, `[`, `]` or `\` after it, for identifiers that contain one.
package struct ElementPath: Sendable, Hashable {
  package struct Segment: Sendable, Hashable {
    /// The type of element, as `button`; any where absent.
    package var type: String?
    /// The accessibility identifier.
    package var identifier: String
    /// Which of several matches, from 0.
    package var index: Int?

    package init(type: String? = nil, identifier: String, index: Int? = nil) {
      self.type = type
      self.identifier = identifier
      self.index = index
    }
  }

  /// Never empty.
  package var segments: [Segment]

  /// - Parameter segments: not empty.
  package init(_ segments: [Segment]) { self.segments = segments }

  /// Reads a path.
  ///
  /// - Throws: `ElementPathError`, with the place in the text.
  package init(_ text: String) throws(ElementPathError) {
    var parser = ElementPathParser(text)
    segments = try parser.segments()
  }
}

/// What is wrong with the text of an element path.
package struct ElementPathError: Error, Sendable, Hashable {
  /// What is wrong and what to do.
  package var message: String
  /// Where, as UTF-8 offsets into the text.
  package var range: Range<Int>
}

extension ElementPath: CustomStringConvertible {
  package var description: String { segments.map(\.description).joined(separator: "/") }
}

extension ElementPath.Segment: CustomStringConvertible {
  package var description: String {
    (type.map { "\($0):" } ?? "") + Self.escaped(identifier) + (index.map { "[\($0)]" } ?? "")
  }

  private static func escaped(_ identifier: String) -> String {
    // Scalar by scalar, as it is read: a combining mark after a "/" makes one character of both.
    let meaningful = "/:[]\\".unicodeScalars
    guard identifier.unicodeScalars.contains(where: meaningful.contains) else { return identifier }
    return identifier.unicodeScalars.map { (meaningful.contains($0) ? "\\" : "") + String($0) }
      .joined()
  }
}

/// Reads the text of an element path.
struct ElementPathParser {
  private let bytes: [UInt8]
  private var at = 0

  init(_ text: String) {
    bytes = Array(text.utf8)
  }

  mutating func segments() throws(ElementPathError) -> [ElementPath.Segment] {
    if bytes.isEmpty { throw error("The element path is empty.", 0..<0) }
    var segments = [try segment()]
    while at < bytes.count {
      at += 1
      segments.append(try segment())
    }
    return segments
  }

  /// Reads up to the `/` or the end after a segment.
  private mutating func segment() throws(ElementPathError) -> ElementPath.Segment {
    let start = at
    var type: String?
    var identifier: [UInt8] = []
    var index: Int?
    while at < bytes.count, bytes[at] != UInt8(ascii: "/") {
      switch bytes[at] {
      case UInt8(ascii: "\\"):
        identifier.append(try escaped())
      case UInt8(ascii: ":") where type == nil:
        type = try elementType(identifier, start..<at)
        identifier = []
        at += 1
      case UInt8(ascii: "["):
        index = try self.index()
      case UInt8(ascii: "]"):
        throw error(
          "\"]\" closes nothing. An identifier that contains it has \"\\]\".", at..<at + 1)
      default:
        identifier.append(bytes[at])
        at += 1
      }
    }
    if identifier.isEmpty { throw empty(start) }
    return ElementPath.Segment(
      type: type, identifier: String(decoding: identifier, as: UTF8.self), index: index)
  }

  private func empty(_ start: Int) -> ElementPathError {
    if start == at {
      return error(
        "A segment of the element path is empty. Remove the \"/\" that is one too many.",
        max(0, start - 1)..<max(start, 1))
    }
    return error("The segment has no identifier. Write one, as \"button:cart[0]\".", start..<at)
  }

  private mutating func escaped() throws(ElementPathError) -> UInt8 {
    guard at + 1 < bytes.count, "/:[]\\".utf8.contains(bytes[at + 1]) else {
      throw error(
        "A backslash stands before \"/\", \":\", \"[\", \"]\" or \"\\\" only.", at..<at + 1)
    }
    at += 2
    return bytes[at - 1]
  }

  private func elementType(
    _ text: [UInt8], _ range: Range<Int>
  ) throws(ElementPathError) -> String {
    let isWord = !text.isEmpty && text.allSatisfy { Character(Unicode.Scalar($0)).isLetter }
    guard isWord else {
      throw error(
        "A type, as \"button\", is wanted before \":\". An identifier that contains it has \"\\:\".",
        range.isEmpty ? at..<at + 1 : range)
    }
    return String(decoding: text, as: UTF8.self)
  }

  private mutating func index() throws(ElementPathError) -> Int {
    let start = at
    at += 1
    let digits = bytes[at...].prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    at += digits.count
    guard let index = Int(String(decoding: digits, as: UTF8.self)), at < bytes.count,
      bytes[at] == UInt8(ascii: "]")
    else {
      let end = bytes[start...].firstIndex(of: UInt8(ascii: "]")).map { $0 + 1 } ?? bytes.count
      throw error("An index is a whole number in brackets, as \"[0]\".", start..<end)
    }
    at += 1
    if at < bytes.count, bytes[at] != UInt8(ascii: "/") {
      throw error("After an index, \"/\" or the end is expected.", at..<at + 1)
    }
    return index
  }

  private func error(_ message: String, _ range: Range<Int>) -> ElementPathError {
    ElementPathError(message: message, range: range)
  }
}
