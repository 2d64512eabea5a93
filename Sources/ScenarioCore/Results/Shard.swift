/// One part of a run that is spread over machines: `index` from 1 to `total`.
package struct Shard: Sendable, Hashable {
  /// More machines than anybody has.
  package static let totalLimit = 10_000

  package var index: Int
  package var total: Int

  package init(index: Int, total: Int) {
    self.index = index
    self.total = total
  }
}

/// How scenarios are spread over shards.
package enum ShardKind: String, Sendable, CaseIterable {
  /// In turns, in the order of the files.
  case slice
  /// By file and case: a scenario keeps its shard when others are added.
  case hash
}

/// The whole that a shard is a part of: what all its shards have in common.
package struct ShardedWhole: Sendable, Hashable {
  package var kind: ShardKind
  /// Of the selected scenarios, their files, and all else that decides which shard gets what.
  package var fingerprint: String
  /// How many scenarios are selected, in all shards together.
  package var scenarioCount: Int
  /// How often each of them runs.
  package var repetitions: Int

  package init(kind: ShardKind, fingerprint: String, scenarioCount: Int, repetitions: Int = 1) {
    self.kind = kind
    self.fingerprint = fingerprint
    self.scenarioCount = scenarioCount
    self.repetitions = repetitions
  }
}
