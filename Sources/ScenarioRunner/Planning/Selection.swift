import Foundation
import ScenarioCore
import SourceText

/// Which scenarios of those found are run.
package struct Selection: Sendable {
  /// At least one of these, if there are any.
  package var tags: [String]
  /// None of these.
  package var skippedTags: [String]
  /// Texts, one of which the name or the path must contain, case ignored.
  package var filters: [String]
  /// A text that the name or the path must contain as well, case ignored.
  package var narrowing: String?
  package var shard: Shard?
  package var repetitions: Int
  /// Only these, if any of them is among the others; `nil`: all.
  package var lastFailed: Set<ScenarioIdentity>?
  package var paths: ProjectPaths

  package init(
    tags: [String] = [], skippedTags: [String] = [], filters: [String] = [],
    narrowing: String? = nil, shard: Shard? = nil, repetitions: Int = 1,
    lastFailed: Set<ScenarioIdentity>? = nil, paths: ProjectPaths = ProjectPaths()
  ) {
    self.tags = tags
    self.skippedTags = skippedTags
    self.filters = filters
    self.narrowing = narrowing
    self.shard = shard
    self.repetitions = repetitions
    self.lastFailed = lastFailed
    self.paths = paths
  }

  /// Whether all scenarios must be known before the first of them can be chosen.
  var needsAll: Bool { lastFailed != nil || shard != nil }

  /// Chooses of one file's scenarios what can be chosen without the others.
  func apply(toFile entries: inout [PlannedScenario]) {
    entries.removeAll { !isSelected($0.reference) }
    if !needsAll { entries = repeated(entries) }
  }

  /// Chooses what takes all of the others: to be called once, with what was chosen of each file.
  func applyToAll(_ plan: inout Plan) {
    guard needsAll else { return }
    if let lastFailed {
      let failed = plan.entries.filter { lastFailed.contains(paths.identity(of: $0.reference)) }
      plan.lastFailedCount = failed.count
      if !failed.isEmpty { plan.entries = failed }
    }
    if let shard {
      plan.whole = ShardedWhole(of: plan.entries, repetitions: repetitions, paths)
      plan.entries = shard.part(of: plan.entries)
    }
    plan.entries = repeated(plan.entries)
  }

  /// Each as often as it is to run, one after the other.
  private func repeated(_ entries: [PlannedScenario]) -> [PlannedScenario] {
    guard repetitions > 1 else { return entries }
    return entries.flatMap { entry in
      (1...repetitions).map { number in
        var entry = entry
        entry.repetition = number
        return entry
      }
    }
  }

  private func isSelected(_ reference: ScenarioReference) -> Bool {
    let isTagged = tags.isEmpty || tags.contains(where: reference.tags.contains)
    let isSkipped = skippedTags.contains(where: reference.tags.contains)
    let isFiltered = filters.isEmpty || filters.contains { matches($0, reference) }
    let isNarrowed = narrowing.map { matches($0, reference) } ?? true
    return isTagged && !isSkipped && isFiltered && isNarrowed
  }

  private func matches(_ filter: String, _ reference: ScenarioReference) -> Bool {
    [reference.name, reference.path].contains {
      $0.range(of: filter, options: .caseInsensitive) != nil
    }
  }
}
