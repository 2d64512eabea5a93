import Foundation
import ScenarioCore
import SourceText

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

  /// Whether all scenarios must be known before the first of them can be chosen.
  var needsAll: Bool { lastFailed != nil || sharding != nil || shuffleSeed != nil }

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

/// Chooses the scenarios of one machine, so that all machines together run each of them once.
///
/// Which scenario is whose depends on nothing but what every machine sees: the selected scenarios in
/// the order of the files.
package struct Sharding: Sendable {
  package var shard: Shard
  package var kind: ShardKind

  package init(_ shard: Shard, by kind: ShardKind = .slice) {
    self.shard = shard
    self.kind = kind
  }

  /// The scenarios of this shard; they come in the order of the files.
  func part(of entries: [PlannedScenario], _ paths: ProjectPaths) -> [PlannedScenario] {
    entries.enumerated().filter { place, entry in
      let number =
        switch kind {
        case .slice: UInt64(place)
        case .hash: StableHash.of(paths.identity(of: entry.reference).text)
        }
      return number % UInt64(shard.total) == shard.index - 1
    }.map(\.element)
  }

  func whole(
    of entries: [PlannedScenario], repetitions: Int, _ paths: ProjectPaths
  ) -> ShardedWhole {
    var hash = StableHash()
    for entry in entries {
      hash.add(paths.identity(of: entry.reference).text)
      hash.add("\(entry.contentHash ?? 0)")
    }
    hash.add("\(repetitions)")
    return ShardedWhole(
      kind: kind, fingerprint: hash.text, scenarioCount: entries.count, repetitions: repetitions)
  }
}

/// SplitMix64: the same order for the same seed, on every machine.
private struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
