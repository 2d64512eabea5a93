/// A change of a file that leaves every other byte as it is.
package struct TextEdit: Sendable {
  /// What is replaced; an empty span inserts.
  package var location: SourceLocation
  package var replacement: String

  package init(_ replacement: String, at location: SourceLocation) {
    self.replacement = replacement
    self.location = location
  }
}
