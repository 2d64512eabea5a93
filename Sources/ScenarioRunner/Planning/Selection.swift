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
  package var shard: Shard?
  package var shuffleSeed: UInt64?
  package var repetitions: Int
  /// Only these selectors; `nil`: all.
  package var onlySelectors: Set<String>?

  package init(
    tags: [String] = [], skippedTags: [String] = [], filters: [String] = [], shard: Shard? = nil,
    shuffleSeed: UInt64? = nil, repetitions: Int = 1, onlySelectors: Set<String>? = nil
  ) {
    self.tags = tags
    self.skippedTags = skippedTags
    self.filters = filters
    self.shard = shard
    self.shuffleSeed = shuffleSeed
    self.repetitions = repetitions
    self.onlySelectors = onlySelectors
  }

  func apply(to entries: [PlannedScenario]) -> [PlannedScenario] {
    var selected = entries.filter { isSelected($0.reference) }
    if let shard {
      selected = selected.enumerated().filter { $0.offset % shard.total == shard.index - 1 }
        .map(\.element)
    }
    if let shuffleSeed {
      var generator = SeededGenerator(seed: shuffleSeed)
      selected.shuffle(using: &generator)
    }
    return repeated(selected)
  }

  private func isSelected(_ reference: ScenarioReference) -> Bool {
    let isTagged = tags.isEmpty || tags.contains(where: reference.tags.contains)
    let isSkipped = skippedTags.contains(where: reference.tags.contains)
    let isFiltered = filters.isEmpty || filters.contains { matches($0, reference) }
    let isAmong = onlySelectors?.contains(reference.selector) ?? true
    return isTagged && !isSkipped && isFiltered && isAmong
  }

  private func matches(_ filter: String, _ reference: ScenarioReference) -> Bool {
    [reference.name, reference.path].contains {
      $0.range(of: filter, options: .caseInsensitive) != nil
    }
  }

  private func repeated(_ entries: [PlannedScenario]) -> [PlannedScenario] {
    guard repetitions > 1 else { return entries }
    return entries.flatMap { entry in
      (1...repetitions).map { number in
        var copy = entry
        copy.repetition = number
        return copy
      }
    }
  }
}
