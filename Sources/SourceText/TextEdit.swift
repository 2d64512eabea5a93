/// A change of a file that leaves every other byte as it is.
package struct TextEdit: Sendable {
  /// What is replaced; an empty span inserts.
  package var location: SourceLocation
  package var replacement: String

  package init(_ replacement: String, at location: SourceLocation) {
    self.replacement = replacement
    self.location = location
  }

  /// The bytes of a file with edits of it; the edits don't overlap, and may come in any order.
  package static func applying(_ edits: [TextEdit], to file: SourceFile) -> [UInt8] {
    var bytes = file.bytes
    for edit in edits.sorted(by: { $0.location.range.lowerBound > $1.location.range.lowerBound }) {
      bytes.replaceSubrange(edit.location.range, with: Array(edit.replacement.utf8))
    }
    return bytes
  }
}
