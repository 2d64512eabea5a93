import ScenarioCore

/// Says which part of a run this is.
package enum ShardText {
  /// - Parameter source: who asked for it: an option, or a variable of the environment.
  package static func line(_ shard: Shard, of whole: ShardedWhole, source: String?) -> String {
    let from = source.map { ", from \($0)" } ?? ""
    let count = whole.scenarioCount
    return
      "shard \(shard.index) of \(shard.total)\(from): \(count) scenario\(count == 1 ? "" : "s")"
      + " in all, sharded by \(whole.kind.rawValue)"
  }
}
