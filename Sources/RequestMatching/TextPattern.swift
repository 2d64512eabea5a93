/// A regular expression that must match a whole text, with a bound on what a match can cost.
package struct TextPattern: Sendable {
  package var pattern: String

  package init(_ pattern: String) throws {
    self.pattern = pattern
  }
}
