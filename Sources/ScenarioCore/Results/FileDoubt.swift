import SourceText

/// Something about a file that a scenario names, which its run has shown.
package struct FileDoubt: Sendable {
  package enum Kind: String, Sendable {
    /// Stubs that have answered nothing, or a capture of which nothing was used.
    case unusedStubs
    /// A key of `fixtures` that the app never asked for.
    case unusedFixture
    /// What the app got and couldn't decode.
    case undecodable
    /// A decoder that looked at no request, or found no event in any.
    case unusedDecoder
    /// A path of `where` that finds nothing in any event of the name.
    case unknownPath
  }

  package var kind: Kind
  package var diagnostic: Diagnostic
  /// What was in hand when the app said so.
  package var cause: RequestCause?

  package init(_ kind: Kind, _ diagnostic: Diagnostic, cause: RequestCause? = nil) {
    self.kind = kind
    self.diagnostic = diagnostic
    self.cause = cause
  }
}
