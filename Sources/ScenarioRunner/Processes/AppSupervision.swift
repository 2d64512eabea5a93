import ScenarioCore

/// Sees to it that no app outlives its scenario or its runner; one for all the scenarios of a run
/// folder.
///
/// While it lives, this process has a child of its own (the watchdog), and on Linux it is the reaper
/// of its orphaned descendants. Children that are not of its apps are never touched.
package final class AppSupervision: Sendable {
  private let watchdog: Watchdog
  let hunter: LeftoverHunter
  let seal: Seal

  /// - Parameters:
  ///   - capacity: how many apps run at a time at most.
  ///   - seals: which may be used; the strongest that the system allows is.
  package init(
    capacity: Int, folder: RunFolder, seals: Set<NetworkSeal> = Set(NetworkSeal.allCases)
  ) {
    watchdog = Watchdog(capacity: max(1, capacity), marker: folder.path + "/")
    hunter = LeftoverHunter(watchdog: watchdog)
    seal = Seal(among: seals)
  }

  /// All apps have ended.
  package func stop() {
    watchdog.stop()
    seal.stop()
  }

  deinit { seal.stop() }

  /// Ends every app without grace; what they said is lost.
  package func killApps() { hunter.killAll() }
}
