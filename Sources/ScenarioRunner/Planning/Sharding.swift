import ScenarioCore

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
    zip(entries, places(of: entries, paths)).filter { $0.1 == shard.index - 1 }.map(\.0)
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

  /// The shard of each scenario, from 0.
  private func places(of entries: [PlannedScenario], _ paths: ProjectPaths) -> [Int] {
    let total = shard.total
    return switch kind {
    case .slice: (0..<entries.count).map { $0 % total }
    case .hash:
      entries.map { Int(StableHash.of(paths.identity(of: $0.reference).text) % UInt64(total)) }
    }
  }
}
