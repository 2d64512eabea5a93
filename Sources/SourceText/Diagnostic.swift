/// Something wrong in a file that people write.
package struct Diagnostic: Sendable {
  package enum Severity: String, Sendable {
    case error, warning
  }

  package var severity: Severity
  /// What is wrong, with the value in quotes, and what to do about it.
  package var message: String
  /// `nil` where the file as a whole is meant: `path` says which.
  package var location: SourceLocation?
  package var path: String
  /// Names that may have been meant, best first, three at most.
  package var suggestions: [String]
  /// Other places that explain the message.
  package var notes: [Note]

  package struct Note: Sendable {
    package var message: String
    package var location: SourceLocation

    package init(_ message: String, at location: SourceLocation) {
      self.message = message
      self.location = location
    }
  }

  /// An error at a place.
  package init(
    _ message: String, at location: SourceLocation, suggestions: [String] = [],
    notes: [Note] = []
  ) {
    self.init(.error, message, at: location, suggestions: suggestions, notes: notes)
  }

  package init(
    _ severity: Severity, _ message: String, at location: SourceLocation,
    suggestions: [String] = [], notes: [Note] = []
  ) {
    self.severity = severity
    self.message = message
    self.location = location
    path = location.path
    self.suggestions = Array(suggestions.prefix(3))
    self.notes = notes
  }

  /// An error of a whole file.
  package init(_ message: String, path: String) {
    self.init(.error, message, path: path)
  }

  /// A diagnostic of a whole file: it is missing, or can't be read.
  package init(_ severity: Severity, _ message: String, path: String) {
    self.severity = severity
    self.message = message
    self.path = path
    suggestions = []
    notes = []
  }
}

/// Gathers what is wrong while a file is decoded, so that all of it is told in one go.
///
/// Stays within one call: it is not `Sendable`, and nobody keeps it.
package final class DiagnosticCollector {
  /// So many are told of a file; nobody reads more, and a table repeats its faults in each row.
  package static let limit = 500

  package private(set) var diagnostics: [Diagnostic] = []
  package private(set) var hasErrors = false

  package init() {}

  /// Whether nothing more is taken.
  package var isFull: Bool { diagnostics.count > Self.limit }

  package func report(_ diagnostic: Diagnostic) {
    guard !isFull else {
      hasErrors = hasErrors || diagnostic.severity == .error
      return
    }
    diagnostics.append(diagnostic)
    hasErrors = hasErrors || diagnostic.severity == .error
    if diagnostics.count == Self.limit {
      diagnostics.append(
        Diagnostic(
          diagnostic.severity, "More than \(Self.limit) faults were found; these are the first.",
          path: diagnostic.path))
    }
  }

  package func report(_ more: some Sequence<Diagnostic>) {
    for diagnostic in more { report(diagnostic) }
  }

  package func error(
    _ message: String, at location: SourceLocation, suggestions: [String] = [],
    notes: [Diagnostic.Note] = []
  ) {
    report(Diagnostic(message, at: location, suggestions: suggestions, notes: notes))
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
