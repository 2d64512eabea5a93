import ScenarioCore

/// Says what keeps the apps of a run from the network.
enum SealText {
  /// - Returns: one line.
  static func line(_ seal: NetworkSeal) -> String {
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
  static func isImportant(_ seal: NetworkSeal) -> Bool { seal == .namespace || seal == .none }
}
