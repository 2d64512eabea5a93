import ScenarioCore

/// Says which part of a run this is.
package enum ShardText {
  /// - Parameter source: who asked for it: an option, or a variable of the environment.
  package static func line(_ shard: Shard, of whole: ShardedWhole, source: String?) -> String {
    let from = source.map { ", from \($0)" } ?? ""
    let all = Wording.counted(whole.scenarioCount, "scenario")
    return "shard \(shard.index) of \(shard.total)\(from): \(all) in all"
  }
}

/// Says what keeps the apps of a run from the network.
package enum SealText {
  /// - Returns: one line.
  package static func line(_ seal: NetworkSeal) -> String {
    switch seal {
    case .systemCalls: "network: sealed; what leaves the apps is refused and named (seccomp)"
    case .namespace:
      "network: sealed by a namespace alone; what leaves the apps is refused, but nobody is told, "
        + "because the system refuses a seccomp filter with a listener"
    case .none:
      "network: NOT sealed, because the system refuses seccomp filters and network namespaces; only "
        + "what the kit intercepts is kept from it"
    case .open: "network: open, as the configuration says"
    }
  }

  /// Whether it must be said to who didn't ask.
  package static func isImportant(_ seal: NetworkSeal) -> Bool {
    seal == .namespace || seal == .none
  }
}
