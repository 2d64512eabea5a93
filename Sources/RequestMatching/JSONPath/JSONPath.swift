import JSON

/// A JSONPath (RFC 9535): names, indexes, `*`, `..`, slices, and filters of one comparison or existence
/// test.
///
/// Functions, `&&` and `||` aren't part of it. A member that an object has twice is found twice.
package struct JSONPath: Sendable {
  /// As it is written.
  package let text: String
  let segments: [Segment]

  /// - Throws: `JSONPathError` where the text isn't such a path.
  package init(_ text: String) throws(JSONPathError) {
    var parser = JSONPathParser(text)
    segments = try parser.path()
    self.text = text
  }

  /// A path that nobody has written.
  init(segments: [Segment]) {
    text = "$"
    self.segments = segments
  }

  /// Whether it finds one value at most: it has only names and indexes.
  package var isSingular: Bool { Self.isSingular(segments) }

  static func isSingular(_ segments: [Segment]) -> Bool {
    segments.allSatisfy { segment in
      guard !segment.isDescendant, segment.selectors.count == 1 else { return false }
      switch segment.selectors[0] {
      case .name, .index: return true
      case .wildcard, .slice, .filter: return false
      }
    }
  }

  struct Segment: Sendable {
    /// Whether it is tried on a value and on everything in it: `..`.
    var isDescendant: Bool
    var selectors: [Selector]
  }

  indirect enum Selector: Sendable {
    case name(String)
    case wildcard
    /// From the end where it is negative.
    case index(Int)
    case slice(start: Int?, end: Int?, step: Int)
    case filter(Filter)
  }
}

/// What is wrong in a JSONPath, and where.
package struct JSONPathError: Error, Sendable, Equatable {
  package var message: String
  /// In UTF-8 bytes, from the beginning of the path.
  package var offset: Int
}
