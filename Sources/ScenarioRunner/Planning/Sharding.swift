import ScenarioCore
import SourceText

extension Shard {
  /// What this machine runs, so that all machines together run each scenario once: in turns.
  ///
  /// Which scenario is whose depends on nothing but what every machine sees: the selected scenarios in
  /// the order of the files.
  func part(of entries: [PlannedScenario]) -> [PlannedScenario] {
    entries.enumerated().filter { $0.offset % total == index - 1 }.map(\.element)
  }
}

extension ShardedWhole {
  init(of entries: [PlannedScenario], repetitions: Int, _ paths: ProjectPaths) {
    var hash = StableHash()
    for entry in entries {
      hash.add(paths.identity(of: entry.reference).text)
      hash.add("\(entry.contentHash ?? 0)")
    }
    hash.add("\(repetitions)")
    self.init(fingerprint: hash.text, scenarioCount: entries.count, repetitions: repetitions)
  }
}
