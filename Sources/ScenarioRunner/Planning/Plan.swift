import Foundation
import JSON
import ScenarioCore
import SourceText
import Synchronization

/// What a run will do, in order.
package struct Plan: Sendable {
  package var entries: [PlannedScenario] = []
  /// The faults of all files, invalid or only warned about.
  package var diagnostics: [Diagnostic] = []
  /// Lines that were asked for and belong to no scenario.
  package var unknownLines: [UnknownLine] = []
  /// How many scenarios there were before anything was selected.
  package var scenarioCount = 0
  /// How many of those selected are known to have failed; `nil` where nobody asked. Where it is 0, all
  /// of them are in the plan.
  package var lastFailedCount: Int?
  /// What a shard is a part of.
  package var whole: ShardedWhole?
  /// The names under the fixtures folder that the files use.
  package var usedFixtures: Set<String> = []
  /// Whether only folders were named, no single files.
  var isOfFolders = false
  var loader: ScenarioLoader?

  /// What an entry is, decoded now where the plan did not keep it.
  package func content(of entry: PlannedScenario) -> PlannedScenario.Content {
    entry.content ?? loader?.content(entry.reference, number: entry.number) ?? .invalid([])
  }

  /// Whether whole folders were named and nothing was left out by a selection.
  package var isWhole: Bool {
    isOfFolders && whole == nil && lastFailedCount == nil
      && Set(entries.map { "\($0.reference.path) \($0.number)" }).count == scenarioCount
  }

  package var hasInvalidFiles: Bool { diagnostics.contains { $0.severity == .error } }
  /// Whether it is a part of something, though perhaps an empty one.
  package var isShard: Bool { (whole?.scenarioCount ?? 0) > 0 }
}

extension Plan {
  /// A `file:line` that means no scenario.
  package struct UnknownLine: Sendable, CustomStringConvertible {
    var path: String
    var line: Int
    /// How many lines the file has; `nil` where it has cases.
    var lineCount: Int?
    /// The CSV file that has the cases.
    var table: String?
    /// The lines in which cases begin.
    var caseLines: [Int]

    package var description: String {
      if let lineCount {
        return
          "There is no line \(line) in \"\(path)\", which has \(lineCount). Name one of these, or the "
          + "file without a line."
      }
      let shown = caseLines.prefix(10).map(String.init).joined(separator: ", ")
      let more = caseLines.count > 10 ? ", …" : ""
      let place = table.map { $0 == path ? "" : " of \($0)" } ?? ""
      return "No case is on line \(line) of \"\(path)\": they begin on lines \(shown)\(more)"
        + "\(place). Name one of these, or the file without a line."
    }
  }
}

/// One scenario of a plan.
package struct PlannedScenario: Sendable {
  package enum Content: Sendable {
    indirect case scenario(Scenario)
    /// The file has faults: it becomes an errored result.
    case invalid([Diagnostic])
  }

  package var reference: ScenarioReference
  /// The place among the scenarios of its file, from 0.
  package var number = 0
  /// How many scenarios its file has.
  package var siblingCount = 1
  /// `nil` where it is decoded when its turn comes; `Plan.content(of:)` does it.
  package var content: Content?
  /// The hash of what it says, where shards are compared by it.
  package var contentHash: UInt64?
  /// Which repetition under `--repeat`, from 1.
  package var repetition: Int?
  /// What is doubtful in its files.
  package var warnings: [Diagnostic] = []
}

/// Decodes scenarios when their turn comes: a plan of very many keeps only who they are.
final class ScenarioLoader: Sendable {
  /// Neighbours in a plan are often cases of one file.
  private static let cacheLimit = 8

  private let files: LocalFiles
  private let decoder: ScenarioDecoder
  private let cache = Mutex<[(path: String, output: ScenarioDecoder.Output)]>([])
  /// The files with many cases, by their paths: to read them again for each would take too long.
  private let tables = Mutex<[ByteText: ScenarioList]>([:])

  init(files: LocalFiles, decoder: ScenarioDecoder) {
    self.files = files
    self.decoder = decoder
  }

  func keep(_ scenarios: ScenarioList, of path: String) {
    var kept = scenarios
    kept.places = []
    tables.withLock { $0[ByteText(path)] = kept }
  }

  /// - Parameter number: the place among the scenarios of its file, from 0.
  /// - Returns: the scenario; a fault where its file is not what it was when the run was planned.
  func content(_ reference: ScenarioReference, number: Int) -> PlannedScenario.Content {
    if let table = tables.withLock({ $0[ByteText(reference.path)] }) {
      let (scenario, diagnostics) = table.decoded(number)
      if let scenario, !diagnostics.contains(where: { $0.severity == .error }) {
        return .scenario(scenario)
      }
      return .invalid(diagnostics)
    }
    let output: ScenarioDecoder.Output
    do {
      output = try decoded(reference.path)
    } catch {
      return Self.unreadable(reference, SystemError.reason(of: error))
    }
    if output.hasErrors { return .invalid(output.diagnostics) }
    guard output.scenarios.indices.contains(number) else {
      return Self.unreadable(reference, FileChange().description)
    }
    return .scenario(output.scenarios[number])
  }

  private static func unreadable(
    _ reference: ScenarioReference, _ reason: String
  ) -> PlannedScenario.Content {
    .invalid([Diagnostic("The file can't be read any more: \(reason).", path: reference.path)])
  }

  private func decoded(_ path: String) throws -> ScenarioDecoder.Output {
    try cache.withLock { cache in
      if let known = cache.first(where: { $0.path.hasSameBytes(as: path) }) { return known.output }
      let output = decoder.decode(try files.source(path))
      if cache.count == Self.cacheLimit { cache.removeFirst() }
      cache.append((path, output))
      return output
    }
  }
}
