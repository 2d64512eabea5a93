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

/// The whole that a shard is a part of: what all its shards have in common.
package struct ShardedWhole: Sendable, Hashable {
  /// Of the selected scenarios, their files, and all else that decides which shard gets what.
  package var fingerprint: String
  /// How many scenarios are selected, in all shards together.
  package var scenarioCount: Int
  /// How often each of them runs.
  package var repetitions: Int

  package init(fingerprint: String, scenarioCount: Int, repetitions: Int = 1) {
    self.fingerprint = fingerprint
    self.scenarioCount = scenarioCount
    self.repetitions = repetitions
  }
}
