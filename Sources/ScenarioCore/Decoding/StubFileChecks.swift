import SourceText
import StubMappings
import Synchronization

/// Checks stub files, each once however many scenarios name it.
package final class StubFileChecks: Sendable {
  struct Outcome: Sendable {
    var diagnostics: [Diagnostic] = []
    /// The files under the fixtures folder that the stubs name as bodies.
    var bodyFiles: [String] = []
    /// What the stubs expect and answer.
    var credentials = Credentials()
    var isCapture = false
  }

  private let outcomes = Mutex<[String: Outcome]>([:])

  package init() {}

  /// - Parameter name: relative to the folder; it leads to a file there.
  func check(_ name: String, in fixtures: FixturesFolder) -> Outcome {
    let path = FilePath.join(fixtures.path, name)
    if let known = outcomes.withLock({ $0[path] }) { return known }
    let outcome = decode(path, shownAs: FilePath.join(fixtures.shownPath, name), fixtures)
    outcomes.withLock { $0[path] = outcome }
    return outcome
  }

  private func decode(
    _ path: String, shownAs shown: String, _ fixtures: FixturesFolder
  ) -> Outcome {
    let bodies = NamedBodies(fixtures)
    let diagnostics = DiagnosticCollector()
    var stubs = StubSet()
    let file = StubFile(path: shown) { body in
      try fixtures.files.withBytes(ofFile: path, limitBytes: FileLimits.fixtureBytes, body)
    }
    do {
      try stubs.add(file, bodyFiles: bodies, diagnostics)
    } catch {
      return Outcome(diagnostics: [Diagnostic("The file can't be read: \(error).", path: shown)])
    }
    var credentials = Credentials()
    for stub in stubs.stubs { credentials.add(stub) }
    return Outcome(
      diagnostics: diagnostics.diagnostics, bodyFiles: bodies.names, credentials: credentials,
      isCapture: !stubs.captures.isEmpty)
  }
}

/// The fixtures folder, which remembers what was asked for.
private final class NamedBodies: BodyFiles {
  private let fixtures: FixturesFolder
  private let asked = Mutex<[String]>([])

  init(_ fixtures: FixturesFolder) {
    self.fixtures = fixtures
  }

  var names: [String] { asked.withLock { $0 } }

  func problem(withBodyFile name: String) -> (message: String, suggestions: [String])? {
    asked.withLock { $0.append(name) }
    return fixtures.problem(with: name).map { ($0.message, $0.suggestions) }
  }
}

/// Looks at a fixtures folder as a whole: is every file in it of use?
package struct FixtureAudit {
  private let folder: FixturesFolder
  private let used: Set<String>

  /// - Parameter used: the names that scenarios and stubs use, relative to the folder.
  package init(_ folder: FixturesFolder, used: Set<String>) {
    self.folder = folder
    self.used = used
  }

  /// A warning for each file that nothing uses, sorted by name; hidden files are left alone.
  ///
  /// - Parameter otherPaths: of files that have another use.
  package func unusedFiles(but otherPaths: Set<String> = []) -> [Diagnostic] {
    names(in: "").sorted().filter { name in
      !used.contains(name) && !otherPaths.contains(FilePath.join(folder.path, name))
    }.map { name in
      Diagnostic(
        .warning, "No scenario uses the fixture \"\(name)\". Remove it, or name it in one.",
        path: FilePath.join(folder.shownPath, name))
    }
  }

  /// A warning for each JSON file in use that is none, sorted by name.
  ///
  /// Only a warning: an app may be meant to get malformed JSON.
  package func malformedFiles() -> [Diagnostic] {
    used.sorted().filter { $0.hasSuffix(".json") }.compactMap { name in
      let path = FilePath.join(folder.path, name)
      let shown = FilePath.join(folder.shownPath, name)
      // A larger one was made by a tool, and its tree would take many times its size.
      guard let bytes = try? folder.files.bytes(ofFile: path),
        let mistake = JSONParser.parse(SourceFile(path: shown, bytes: bytes)).diagnostics.first,
        let location = mistake.location
      else { return nil }
      return Diagnostic(
        .warning,
        "The fixture \"\(name)\" isn't valid JSON. \(mistake.message)"
          + " Leave it so only if the app is meant to get it so.", at: location)
    }
  }

  private func names(in subfolder: String) -> [String] {
    let path = subfolder.isEmpty ? folder.path : FilePath.join(folder.path, subfolder)
    return folder.files.names(inFolder: path).filter { !$0.hasPrefix(".") }.flatMap { name in
      let relative = subfolder.isEmpty ? name : "\(subfolder)/\(name)"
      switch folder.files.kind(of: FilePath.join(folder.path, relative)) {
      case .file: return [relative]
      // A link to a folder could lead back here.
      case .folder where folder.problem(with: relative)?.message.contains("link") != true:
        return names(in: relative)
      default: return []
      }
    }
  }
}
