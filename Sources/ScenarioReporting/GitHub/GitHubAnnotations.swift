import Foundation
import ScenarioCore
import SourceText

/// What GitHub shows beside the files of a change: an error for each scenario that did not pass, a
/// warning for each flaky one, or an error where it fails the run, and a warning for each known issue,
/// each result with warnings, and each doubtful file. A file that is invalid and makes no scenario
/// errored, because nothing of it was selected, is an error of its own.
struct GitHubAnnotations {
  /// GitHub shows so many errors and so many warnings of a step, and drops the rest.
  static let limitOfAKind = 10

  let result: RunResult
  let paths: WorkspacePath
  var outlet = Outlet()

  /// The lines of the log that make them.
  var lines: [String] {
    let (results, counts) = (result.results, RunCounts(result))
    // What is doubtful in a file is told of the file.
    let warned = results.warned.filter { result in
      !result.isFlaky && !result.warnings.allSatisfy(\.isFileWarning)
    }
    let flaky = results.flaky.map { result in
      // Shows why the first attempt did not pass.
      { of(result.earlierAttempts[0], "flaky", counts.failsOnFlaky ? .error : .warning) }
    }
    let errors =
      results.unsuccessful.map { result in { of(result, result.verdict.rawValue, .error) } }
      + (counts.failsOnFlaky ? flaky : []) + (counts.invalidFiles == 0 ? [] : files(.error))
    let warnings =
      (counts.failsOnFlaky ? [] : flaky)
      + results.known.map { result in { of(result, "known issue", .warning) } }
      + warned.map { result in { of(result, "warning", .warning) } } + files(.warning)
    return shown(errors, "did not pass") + shown(warnings, "are flaky, known or doubtful")
  }

  /// The first of a kind, and how many more there are: a notice is shown beside the others.
  private func shown(_ commands: [() -> WorkflowCommand], _ words: String) -> [String] {
    let rest = commands.count - Self.limitOfAKind
    let message =
      "\(rest) more \(words): GitHub shows \(Self.limitOfAKind) of a step. The log has them all."
    let notice = WorkflowCommand(kind: .notice, title: "scenario-run", message: message)
    return commands.prefix(Self.limitOfAKind).map { $0().line } + (rest > 0 ? [notice.line] : [])
  }

  private func of(
    _ result: ScenarioResult, _ word: String, _ kind: WorkflowCommand.Kind
  ) -> WorkflowCommand {
    let scenario = result.scenario
    let location = (result.findings + result.warnings).first?.location
    let outlet = outlet.hiding(credentialsOf: result)
    return WorkflowCommand(
      kind: kind,
      file: outlet.masked(paths.relative(location?.path ?? scenario.caseFile ?? scenario.path)),
      position: location?.position ?? scenario.position,
      title: "\(word): \(outlet.line(scenario.name))",
      message: FindingText(outlet, width: 100).text(of: result))
  }

  private func files(_ severity: Diagnostic.Severity) -> [() -> WorkflowCommand] {
    result.diagnostics.filter { $0.severity == severity }.map { diagnostic in
      {
        let outlet = outlet.hiding(credentialsOf: diagnostic)
        return WorkflowCommand(
          kind: severity == .error ? .error : .warning,
          file: outlet.masked(paths.relative(diagnostic.path)),
          position: diagnostic.location?.position, title: "scenario file",
          message: outlet.line(diagnostic.message))
      }
    }
  }
}

extension Finding {
  fileprivate var isFileWarning: Bool { if case .fileWarning = self { true } else { false } }
}

/// Prints the annotations when the run has ended.
package final class GitHubAnnotationReporter: Reporter {
  package let name = "GitHub's annotations"
  private let paths: WorkspacePath
  private let output: any TextOutput
  private let outlet: Outlet

  package init(paths: WorkspacePath, output: any TextOutput, outlet: Outlet = Outlet()) {
    self.paths = paths
    self.outlet = outlet
    self.output = output
  }

  package func handle(_ event: RunEvent, _ result: RunResult) throws {
    guard case .runFinished = event else { return }
    let lines = GitHubAnnotations(result: result, paths: paths, outlet: outlet).lines
    if !lines.isEmpty { try output.write(lines.map { $0 + "\n" }.joined()) }
  }
}

/// A line of the log that GitHub Actions obeys: `::error file=a.json,line=3::message`.
struct WorkflowCommand {
  enum Kind: String {
    case error, warning, notice
  }

  /// The runner cuts longer messages (`ExecutionContext.cs` of actions/runner), in UTF-16 units.
  static let messageLimit = 4096
  /// Of an annotation (GitHub's REST API for check runs).
  static let titleLimit = 255

  var kind: Kind
  /// Relative to the workspace; `nil` for the run as a whole.
  var file: String?
  var position: SourcePosition?
  var title: String
  var message: String

  /// The command, without the newline.
  var line: String {
    let properties: [(String, String?)] = [
      ("file", file), ("line", position.map { "\($0.line)" }),
      ("col", position.map { "\($0.column)" }), ("title", title.cut(toUTF16: Self.titleLimit)),
    ]
    let told = properties.compactMap { name, value in
      value.map { "\(name)=\(Self.escaped($0, Self.propertyEscapes))" }
    }
    let message = Self.escaped(message.cut(toUTF16: Self.messageLimit), Self.messageEscapes)
    return "::\(kind.rawValue) \(told.joined(separator: ","))::\(message)"
  }

  /// As `toolkit`'s `core` has them: a line break would end the command.
  private static let messageEscapes: [Unicode.Scalar: String] = [
    "%": "%25", "\r": "%0D", "\n": "%0A",
  ]

  /// In a property what parts properties is escaped as well.
  private static let propertyEscapes = messageEscapes.merging([":": "%3A", ",": "%2C"]) { $1 }

  private static func escaped(_ text: String, _ escapes: [Unicode.Scalar: String]) -> String {
    text.unicodeScalars.map { escapes[$0] ?? String($0) }.joined()
  }
}

extension String {
  /// The beginning, of at most so many UTF-16 units, with an ellipsis where something is left out.
  func cut(toUTF16 limit: Int) -> String {
    guard utf16.count > limit else { return self }
    var units = 1
    return String(
      prefix { character in
        units += character.utf16.count
        return units <= limit
      }) + "…"
  }
}

/// Paths as GitHub's annotations want them: relative to the checked-out repository.
package struct WorkspacePath: Sendable {
  private let workspace: String?
  private let workingDirectory: String

  /// - Parameter workspace: the value of `GITHUB_WORKSPACE`.
  package init(workspace: String?, workingDirectory: String) {
    self.workspace = workspace
    self.workingDirectory = workingDirectory
  }

  /// - Parameter path: as the user's PATH led to it.
  /// - Returns: an absolute path where the file is not in the workspace.
  func relative(_ path: String) -> String {
    let absolute = path.hasPrefix("/") ? path : workingDirectory + "/" + path
    let file = Self.standardized(absolute)
    guard let workspace, !workspace.isEmpty else { return file }
    let folder = Self.standardized(workspace)
    for prefix in [folder, Self.resolved(folder)] {
      for path in [file, Self.resolved(file)] where path.hasPrefix(prefix + "/") {
        return String(path.dropFirst(prefix.count + 1))
      }
    }
    return file
  }

  private static func standardized(_ path: String) -> String {
    (path as NSString).standardizingPath
  }

  private static func resolved(_ path: String) -> String {
    URL(filePath: path).resolvingSymlinksInPath().path(percentEncoded: false)
  }
}
