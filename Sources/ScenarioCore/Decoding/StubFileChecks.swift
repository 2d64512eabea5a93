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
  }

  private let outcomes = Mutex<[String: Outcome]>([:])

  package init() {}

  /// - Parameter name: relative to the folder; it leads to a file there.
  func check(_ name: String, in fixtures: FixturesFolder) -> Outcome {
    let path = FilePath.join(fixtures.path, name)
    if let known = outcomes.withLock({ $0[path] }) { return known }
    let outcome = decode(path, fixtures)
    outcomes.withLock { $0[path] = outcome }
    return outcome
  }

  private func decode(_ path: String, _ fixtures: FixturesFolder) -> Outcome {
    let bytes: [UInt8]
    do {
      bytes = try fixtures.files.bytes(ofFile: path)
    } catch {
      return Outcome(diagnostics: [Diagnostic("The file can't be read: \(error).", path: path)])
    }
    let bodies = NamedBodies(fixtures)
    let diagnostics = DiagnosticCollector()
    var stubs = StubSet()
    stubs.add(SourceFile(path: path, bytes: bytes), bodyFiles: bodies, diagnostics)
    var credentials = Credentials()
    for stub in stubs.stubs { credentials.add(stub) }
    return Outcome(
      diagnostics: diagnostics.diagnostics, bodyFiles: bodies.names, credentials: credentials)
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
