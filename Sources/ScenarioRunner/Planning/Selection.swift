import Foundation
import ScenarioCore

/// Which scenarios of those found are run, and in what order.
package struct Selection: Sendable {
  /// At least one of these, if there are any.
  package var tags: [String]
  /// None of these.
  package var skippedTags: [String]
  /// Texts, one of which the name or the path must contain, case ignored.
  package var filters: [String]
  /// A text that the name or the path must contain as well, case ignored.
  package var narrowing: String?
  package var sharding: Sharding?
  package var shuffleSeed: UInt64?
  package var repetitions: Int
  /// Only these, if any of them is among the others; `nil`: all.
  package var lastFailed: Set<ScenarioIdentity>?
  package var paths: ProjectPaths

  package init(
    tags: [String] = [], skippedTags: [String] = [], filters: [String] = [],
    narrowing: String? = nil, sharding: Sharding? = nil, shuffleSeed: UInt64? = nil,
    repetitions: Int = 1, lastFailed: Set<ScenarioIdentity>? = nil,
    paths: ProjectPaths = ProjectPaths()
  ) {
    self.tags = tags
    self.skippedTags = skippedTags
    self.filters = filters
    self.narrowing = narrowing
    self.sharding = sharding
    self.shuffleSeed = shuffleSeed
    self.repetitions = repetitions
    self.lastFailed = lastFailed
    self.paths = paths
  }

  func apply(to plan: inout Plan) {
    if isChoosing { plan.entries.removeAll { !isSelected($0.reference) } }
    if let lastFailed {
      let failed = plan.entries.filter { lastFailed.contains(paths.identity(of: $0.reference)) }
      plan.lastFailedCount = failed.count
      if !failed.isEmpty { plan.entries = failed }
    }
    if let sharding {
      plan.whole = sharding.whole(of: plan.entries, repetitions: repetitions, paths)
      plan.entries = sharding.part(of: plan.entries, paths)
    }
    if let shuffleSeed {
      var generator = SeededGenerator(seed: shuffleSeed)
      plan.entries.shuffle(using: &generator)
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

  private var isChoosing: Bool {
    !tags.isEmpty || !skippedTags.isEmpty || !filters.isEmpty || narrowing != nil
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
