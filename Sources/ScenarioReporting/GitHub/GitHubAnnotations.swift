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
    let counts = RunCounts(result)
    let doubtful = result.diagnostics.filter { $0.severity == .warning }
    let limit = Self.limitOfAKind
    let flaky = result.results.flaky.prefix(limit).map { self.flaky($0, counts) }
    let failed = result.results.unsuccessful.prefix(limit).map(error)
    let invalid =
      counts.invalidFiles == 0 ? [] : result.diagnostics.filter { $0.severity == .error }
    let errors =
      (failed + (counts.failsOnFlaky ? flaky : []) + invalid.prefix(limit).map { file($0, .error) })
      .prefix(limit)
    let known = result.results.known.prefix(limit).map {
      command(.warning, of: $0, "known issue", at: $0.findings.first)
    }
    // What is doubtful in a file is told of the file.
    let warned = result.results.warned.filter { result in
      !result.isFlaky && !result.warnings.allSatisfy(\.isFileWarning)
    }
    let warnings =
      ((counts.failsOnFlaky ? [] : flaky) + known
      + warned.prefix(limit).map { command(.warning, of: $0, "warning", at: $0.warnings.first) }
      + doubtful.prefix(limit).map { file($0, .warning) })
      .prefix(limit)
    let failedCount =
      counts.failed + counts.errored + (counts.failsOnFlaky ? counts.flaky : 0) + invalid.count
    let doubtfulCount =
      doubtful.count + counts.known + warned.count + (counts.failsOnFlaky ? 0 : counts.flaky)
    return (errors + warnings).map(\.line)
      + rest(failedCount - errors.count, "did not pass")
      + rest(doubtfulCount - warnings.count, "are flaky, known or doubtful")
  }

  private func error(_ result: ScenarioResult) -> WorkflowCommand {
    command(.error, of: result, "\(result.verdict.rawValue)", at: result.findings.first)
  }

  /// Shows why the first attempt did not pass.
  private func flaky(_ result: ScenarioResult, _ counts: RunCounts) -> WorkflowCommand {
    let attempt = result.earlierAttempts.first ?? result
    let kind = counts.failsOnFlaky ? WorkflowCommand.Kind.error : .warning
    return command(kind, of: attempt, "flaky", at: attempt.findings.first)
  }

  private func command(
    _ kind: WorkflowCommand.Kind, of result: ScenarioResult, _ word: String, at finding: Finding?
  ) -> WorkflowCommand {
    let scenario = result.scenario
    let location = finding?.location
    let outlet = outlet.hiding(credentialsOf: result)
    return WorkflowCommand(
      kind: kind,
      file: outlet.masked(paths.relative(location?.path ?? scenario.caseFile ?? scenario.path)),
      position: location?.position ?? scenario.position,
      title: "\(word): \(outlet.line(scenario.name))",
      message: FindingText(outlet, width: 100).text(of: result))
  }

  private func file(_ diagnostic: Diagnostic, _ kind: WorkflowCommand.Kind) -> WorkflowCommand {
    let outlet = outlet.hiding(credentialsOf: diagnostic)
    return WorkflowCommand(
      kind: kind, file: outlet.masked(paths.relative(diagnostic.path)),
      position: diagnostic.location?.position, title: "scenario file",
      message: outlet.line(diagnostic.message))
  }

  /// A notice is shown beside the others.
  private func rest(_ count: Int, _ words: String) -> [String] {
    guard count > 0 else { return [] }
    let message =
      "\(count) more \(words): GitHub shows \(Self.limitOfAKind) of a step. The log has them all."
    return [WorkflowCommand(kind: .notice, title: "scenario-run", message: message).line]
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
      value.map { "\(name)=\(Self.escapedProperty($0))" }
    }
    let message = Self.escapedMessage(self.message.cut(toUTF16: Self.messageLimit))
    return "::\(kind.rawValue) \(told.joined(separator: ","))::\(message)"
  }

  /// As `toolkit`'s `core` escapes it: a line break would end the command.
  static func escapedMessage(_ text: String) -> String {
    escaped(text) { character in
      switch character {
      case "%": "%25"
      case "\r": "%0D"
      case "\n": "%0A"
      default: nil
      }
    }
  }

  /// In a property what parts properties is escaped as well.
  static func escapedProperty(_ text: String) -> String {
    escaped(escapedMessage(text)) { character in
      switch character {
      case ":": "%3A"
      case ",": "%2C"
      default: nil
      }
    }
  }

  private static func escaped(
    _ text: String, _ escape: (Unicode.Scalar) -> String?
  ) -> String {
    text.unicodeScalars.map { escape($0) ?? String($0) }.joined()
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
