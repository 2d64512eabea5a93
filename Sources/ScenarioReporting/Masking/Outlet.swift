import ScenarioCore
import SourceText

/// The one place through which text from apps and files leaves: without secrets, and so that neither
/// a terminal nor a CI server obeys it.
///
/// What is shown is masked before it is escaped, broken into lines or cut. So a mask never breaks the
/// syntax of a report, and no part of a secret is left over.
package struct Outlet: Sendable {
  private let values: Set<String>
  package let mask: Mask

  /// - Parameter secrets: the values that no output shows.
  package init(secrets: some Sequence<String> = [String]()) {
    values = Set(secrets)
    mask = Mask(values)
  }

  package func masked(_ text: String) -> String { mask.masked(text) }

  /// One line: line breaks are escaped too.
  package func line(_ text: String) -> String { Sanitizer.line(masked(text)) }

  /// Several lines, which end with LF or CRLF: the breaks stay, all else is escaped.
  func lines(_ text: String) -> [String] { Sanitizer.lines(masked(text)) }

  /// A word of a command line, as a shell reads it.
  func word(_ text: String) -> String {
    let text = masked(text)
    if !text.isEmpty, text.allSatisfy(Self.plain.contains) { return text }
    return "'" + Sanitizer.line(text).replacing("'", with: "'\\''") + "'"
  }

  private static let plain = Set(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-./:=@%+,")

  /// The beginning and the end of a stream; a value that the cut goes through is masked too.
  package func masked(_ text: CapturedText) -> CapturedText {
    guard text.omittedBytes > 0 else {
      return CapturedText(head: mask.masked(text.head + text.tail))
    }
    return CapturedText(
      head: mask.masked(text.head, isCutAfter: true), omittedBytes: text.omittedBytes,
      tail: mask.masked(text.tail, isCutBefore: true))
  }

  /// Diagnostics with their source lines as they may be shown; columns and carets stay true.
  func masked(_ diagnostics: [Diagnostic]) -> [Diagnostic] {
    let outlet = hiding(Credentials(of: diagnostics.files).values)
    guard !outlet.values.isEmpty else { return diagnostics }
    var shown: [ObjectIdentifier: SourceFile] = [:]
    func location(_ location: SourceLocation) -> SourceLocation {
      let file = location.file
      let masked =
        shown[ObjectIdentifier(file)]
        ?? file.showing(path: outlet.masked(file.path), bytes: outlet.mask.filled(file.bytes))
      shown[ObjectIdentifier(file)] = masked
      return SourceLocation(file: masked, range: location.range)
    }
    return diagnostics.map { diagnostic in
      var masked = diagnostic
      masked.message = outlet.masked(diagnostic.message)
      masked.path = outlet.masked(diagnostic.path)
      masked.suggestions = diagnostic.suggestions.map(outlet.masked)
      masked.location = diagnostic.location.map(location)
      masked.notes = diagnostic.notes.map {
        Diagnostic.Note(outlet.masked($0.message), at: location($0.location))
      }
      return masked
    }
  }

  /// A file as its lines may be shown; columns stay true.
  func masked(_ file: SourceFile) -> SourceFile {
    let outlet = hiding(Credentials(of: [file]).values)
    return file.showing(path: outlet.masked(file.path), bytes: outlet.mask.filled(file.bytes))
  }

  // MARK: - What is hidden

  /// One that hides these values too.
  package func hiding(_ others: Set<String>) -> Outlet {
    others.isSubset(of: values) ? self : Outlet(secrets: values.union(others))
  }

  /// One that hides what requests of a scenario carried and what its files expect.
  package func hiding(credentialsOf result: ScenarioResult) -> Outlet {
    var credentials: Set<String> = []
    for attempt in [result] + result.earlierAttempts {
      credentials.formUnion(attempt.credentials)
      let files = (attempt.findings + attempt.warnings).flatMap(\.diagnostics).files
      if !files.isEmpty { credentials.formUnion(Credentials(of: files).values) }
    }
    return hiding(credentials)
  }

  func hiding(credentialsOf diagnostic: Diagnostic) -> Outlet {
    hiding(Credentials(of: [diagnostic].files).values)
  }
}

extension Finding {
  /// What is wrong in files.
  package var diagnostics: [Diagnostic] {
    switch self {
    case .runError(let error): error.diagnostics
    case .fileWarning(let fault): [fault]
    case .fileDoubt(let doubt): [doubt.diagnostic]
    default: []
    }
  }
}

extension [Diagnostic] {
  /// Each file that is shown, once.
  fileprivate var files: [SourceFile] {
    var seen: Set<ObjectIdentifier> = []
    return flatMap { [$0.location].compactMap(\.self) + $0.notes.map(\.location) }.map(\.file)
      .filter { seen.insert(ObjectIdentifier($0)).inserted }
  }
}
