/// A path to an element: segments joined by `/`, each `[type:]identifier[index]`.
///
/// `SearchResultViewController/cell:MyItemCell[0]/cartButton`: each segment is any descendant of the
/// one before it, as in an XCUITest query; type and index are optional. A backslash takes the meaning
/// from a `/`, `:`, `[`, `]` or `\` after it, for identifiers that contain one.
public struct ElementPath: Sendable, Hashable {
  public struct Segment: Sendable, Hashable {
    /// The type of element, as `button`; any where absent.
    public var type: String?
    /// The accessibility identifier.
    public var identifier: String
    /// Which of several matches, from 0.
    public var index: Int?

    public init(type: String? = nil, identifier: String, index: Int? = nil) {
      self.type = type
      self.identifier = identifier
      self.index = index
    }
  }

  /// Never empty.
  public var segments: [Segment]

  /// Reads a path.
  ///
  /// - Throws: `ElementPathError`, with the place in the text.
  public init(_ text: String) throws(ElementPathError) {
    var parser = ElementPathParser(text)
    segments = try parser.segments()
  }
}

/// What is wrong with the text of an element path.
public struct ElementPathError: Error, Sendable, Hashable {
  /// What is wrong and what to do.
  public var message: String
  /// Where, as UTF-8 offsets into the text.
  public var range: Range<Int>

  public init(message: String, range: Range<Int>) {
    self.message = message
    self.range = range
  }
}

extension ElementPath: CustomStringConvertible {
  public var description: String { segments.map(\.description).joined(separator: "/") }
}

extension ElementPath.Segment: CustomStringConvertible {
  public var description: String {
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
