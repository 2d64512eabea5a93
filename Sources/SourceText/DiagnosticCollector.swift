/// Gathers what is wrong while a file is decoded, so that all of it is told in one go.
///
/// Stays within one call: it is not `Sendable`, and nobody keeps it.
package final class DiagnosticCollector {
  package private(set) var diagnostics: [Diagnostic] = []

  package init() {}

  package var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }

  package func report(_ diagnostic: Diagnostic) {
    diagnostics.append(diagnostic)
  }

  package func report(_ more: some Sequence<Diagnostic>) {
    diagnostics.append(contentsOf: more)
  }

  package func error(
    _ message: String, at location: SourceLocation, suggestions: [String] = [],
    notes: [Diagnostic.Note] = []
  ) {
    report(
      Diagnostic(message, at: location, suggestions: suggestions, notes: notes))
  }

  /// An error about a value: where a variable supplied it, a note says where that value stands.
  ///
  /// - Parameter range: the part of a string that is wrong, as UTF-8 offsets into its content.
  package func error(
    _ message: String, in node: JSONNode, content range: Range<Int>? = nil,
    suggestions: [String] = []
  ) {
    let notes = node.variable.map {
      [Diagnostic.Note("\"\($0.name)\" has its value here.", at: $0.location)]
    }
    error(
      message, at: range.map(node.location(ofContent:)) ?? node.location,
      suggestions: suggestions, notes: notes ?? [])
  }

  package func warning(_ message: String, at location: SourceLocation) {
    report(Diagnostic(.warning, message, at: location))
  }
}
