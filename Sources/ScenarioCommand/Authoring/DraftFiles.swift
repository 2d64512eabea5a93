import Foundation
import ScenarioAuthoring
import ScenarioCore
import ScenarioReporting
import ScenarioRunner
import SourceText

/// The drafts that wait beside scenarios.
struct DraftFiles {
  let files: LocalFiles

  /// - Parameter scenario: the scenario's path.
  static func path(for scenario: String) -> String { scenario + PendingDraft.suffix }

  /// - Returns: `nil` where there is none.
  func draft(for scenario: String) throws -> PendingDraft? {
    let path = Self.path(for: scenario)
    guard files.kind(of: path) != nil else { return nil }
    return PendingDraft(try files.source(path))
  }

  func hasDraft(for scenario: String) -> Bool { files.kind(of: Self.path(for: scenario)) != nil }

  /// The scenarios with drafts that a path leads to: itself, or all in a folder.
  func scenarios(at path: String) -> [String] {
    guard files.kind(of: path) == .folder else {
      let isDraft = path.hasSuffix(PendingDraft.suffix)
      return [isDraft ? String(path.dropLast(PendingDraft.suffix.count)) : path]
    }
    return files.names(inFolder: path).filter { !$0.hasPrefix(".") }.sorted().flatMap { name in
      let inner = path == "." ? name : FilePath.join(path, name)
      if files.kind(of: inner) == .folder { return scenarios(at: inner) }
      return name.hasSuffix(PendingDraft.suffix) ? scenarios(at: inner) : []
    }
  }
}

/// Scenarios of a plan for which drafts wait.
extension Plan {
  var draftedPaths: [String] {
    var seen: Set<String> = []
    let drafts = DraftFiles(files: LocalFiles())
    return entries.map(\.reference.path).filter {
      seen.insert($0).inserted && drafts.hasDraft(for: $0)
    }
  }
}

extension CommandProject {
  /// Says which drafts wait; an error where the command line allows none.
  ///
  /// - Parameter paths: of the scenarios for which they wait.
  func tellDrafts(of paths: [String]) -> ExitCode? {
    print(
      paths.map { path in
        Diagnostic(
          options.forbidsPending ? .error : .warning,
          "A draft is waiting for review: \(context.programName) review \(path)",
          path: DraftFiles.path(for: path))
      })
    return options.forbidsPending && !paths.isEmpty ? .invalidFile : nil
  }
}
