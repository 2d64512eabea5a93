import Foundation
import HarnessProtocol
import JSON
import RequestMatching
import ScenarioCore
import SourceText
import StubMappings
import Synchronization

extension FileDoubt {
  /// What a scenario names and its app never used: files of stubs of which none answered, captures, launch
  /// keys with a fixture, and decoders.
  ///
  /// A file of stubs may serve many scenarios, so that it isn't doubted for some that only others use. An app
  /// that doesn't say what it used (`asked`, `stubs` in its answers) isn't doubted.
  static func unused(
    in scenario: Scenario, _ app: AppReport, _ decoders: [String: DecoderUse]
  ) -> [FileDoubt] {
    unusedStubs(scenario, app) + unusedFixtures(scenario, app)
      + scenario.decoders.filter { !$0.isOfProject }.compactMap { $0.doubt(decoders[$0.name]) }
  }

  private static func unusedStubs(_ scenario: Scenario, _ app: AppReport) -> [FileDoubt] {
    guard let used = app.usedStubs else { return [] }
    return scenario.stubs.filter { file in
      !file.isOfProject && !used.contains { $0.hasPrefix("\(file.path):") }
    }.map {
      FileDoubt(
        .unusedStubs,
        Diagnostic(
          .warning, "Nothing of \"\($0.path)\" was used. Remove it from \"stubs\".",
          at: $0.location))
    }
  }

  private static func unusedFixtures(_ scenario: Scenario, _ app: AppReport) -> [FileDoubt] {
    guard let asked = app.askedKeys else { return [] }
    return scenario.fixtures.filter { !asked.contains($0.key) }.map { entry in
      FileDoubt(
        .unusedFixture,
        Diagnostic(
          .warning,
          "The app never asked for the launch key \"\(entry.key)\". Remove it, or correct its name.",
          at: entry.file.location, suggestions: Suggestions.closest(to: entry.key, among: asked)))
    }
  }
}

/// What the decoders of a configuration found in the scenarios of a run, together.
final class ProjectDecoders: Sendable {
  private struct State {
    var decoders: [String: (decoder: EventDecoder, use: DecoderUse)] = [:]
    var files: Set<String> = []
    /// Whether a scenario may have sent less than it does usually.
    var hasErrors = false
  }

  private let state = Mutex(State())

  func note(_ use: [String: DecoderUse], in scenario: Scenario, isErrored: Bool) {
    state.withLock { state in
      if isErrored { state.hasErrors = true }
      state.files.insert(scenario.reference.path)
      for decoder in scenario.decoders where decoder.isOfProject {
        var known = state.decoders[decoder.name] ?? (decoder, DecoderUse())
        known.use.requests += use[decoder.name]?.requests ?? 0
        known.use.events += use[decoder.name]?.events ?? 0
        state.decoders[decoder.name] = known
      }
    }
  }

  /// Those that found nothing; one file alone, and what errored, says nothing of a project.
  var doubts: [Diagnostic] {
    state.withLock { state in
      guard state.files.count > 1, !state.hasErrors else { return [] }
      return state.decoders.sorted { $0.key < $1.key }.compactMap { _, known in
        known.decoder.doubt(known.use)?.diagnostic
      }
    }
  }
}

extension EventDecoder {
  /// - Returns: `nil` where it found an event.
  fileprivate func doubt(_ use: DecoderUse?) -> FileDoubt? {
    guard let location, use?.events ?? 0 == 0 else { return nil }
    let place = isOfProject ? " in any scenario of this run" : ""
    let requests = use?.requests ?? 0
    let message =
      requests == 0
      ? "The decoder \"\(name)\" met no request\(place). Correct its \"request\", or remove it."
      : "The decoder \"\(name)\" found no event in \(requests) \(requests == 1 ? "request" : "requests")"
        + "\(place). Correct its \"each\", or its \"request\"."
    return FileDoubt(.unusedDecoder, Diagnostic(.warning, message, at: location))
  }
}

/// What no case of a table used: told with the last of them, once all have run to their ends.
///
/// Where only some of the cases are run nothing is told: the others may be those that use a file.
final class TableDoubts: Sendable {
  private struct Table {
    var caseCount: Int
    var remaining: Int
    /// `nil` where a case did not run to its end.
    var unused: [FileDoubt]?
    var isFirst = true
  }

  /// By the path of the file.
  private let tables = Mutex<[ByteText: Table]>([:])

  /// Takes what is planned of some files, all of a file at a time.
  func expect(_ entries: some Sequence<PlannedScenario>) {
    let cases = Dictionary(
      grouping: entries.lazy.filter { $0.reference.caseName != nil },
      by: { ByteText($0.reference.path) })
    for (path, entries) in cases {
      let caseCount = Set(entries.map(\.number)).count
      guard let first = entries.first, first.siblingCount == caseCount else { continue }
      let table = Table(caseCount: caseCount, remaining: entries.count, unused: [])
      tables.withLock { $0[path] = table }
    }
  }

  /// Takes what a case left unused.
  ///
  /// - Parameter unused: `nil` where it did not run to its end.
  /// - Returns: what is to be told with this case.
  func add(_ unused: [FileDoubt]?, of reference: ScenarioReference) -> [FileDoubt] {
    tables.withLock { tables in
      guard var table = tables[ByteText(reference.path)] else { return [] }
      table.remaining -= 1
      if table.isFirst {
        table.unused = unused
      } else if let known = table.unused {
        table.unused = unused.map { unused in
          let keys = Set(unused.map(\.key))
          return known.filter { keys.contains($0.key) }
        }
      }
      table.isFirst = false
      tables[ByteText(reference.path)] = table
      return table.remaining == 0 ? (table.unused ?? []).map { $0.ofCases(table.caseCount) } : []
    }
  }
}

extension FileDoubt {
  /// Those that say something new.
  static func unique(_ doubts: [FileDoubt]) -> [FileDoubt] {
    var seen: Set<String> = []
    return doubts.filter { seen.insert($0.key).inserted }
  }

  fileprivate var key: String {
    "\(diagnostic.location?.description ?? "") \(diagnostic.message)"
  }

  fileprivate func ofCases(_ count: Int) -> FileDoubt {
    var doubt = self
    doubt.diagnostic.message += " (In none of the \(count) cases.)"
    return doubt
  }
}
