/// Tells when something has been seen: at least half of it, for one second.
///
/// An exposure lasts until nothing of it is in sight; moving about in between tells nothing more.
@MainActor final class ExposureMonitor<ID: Hashable & Comparable & Sendable> {
  private enum Exposure {
    case dwelling(Task<Void, Never>)
    case told
  }

  private let clock: any Clock<Duration>
  private let dwellTime: Duration
  private let tell: @MainActor (ID) -> Void
  private var exposures: [ID: Exposure] = [:]

  init(
    clock: any Clock<Duration>, dwellTime: Duration = .seconds(1),
    tell: @escaping @MainActor (ID) -> Void
  ) {
    self.clock = clock
    self.dwellTime = dwellTime
    self.tell = tell
  }

  /// Takes what is in sight now.
  ///
  /// - Parameter fractions: how much of each is visible; what is absent is out of sight.
  func update(_ fractions: [ID: Double]) {
    for id in exposures.keys where (fractions[id] ?? 0) <= 0 { end(id) }
    for (id, fraction) in fractions.sorted(by: { $0.key < $1.key }) {
      if fraction >= 0.5 { begin(id) } else { interrupt(id) }
    }
  }

  /// Ends all exposures: what is in sight afterwards is exposed anew.
  func endAll() {
    for id in exposures.keys { end(id) }
  }

  private func begin(_ id: ID) {
    guard exposures[id] == nil else { return }
    exposures[id] = .dwelling(
      Task { [clock, dwellTime] in
        try? await clock.sleep(for: dwellTime)
        if !Task.isCancelled { complete(id) }
      })
  }

  private func complete(_ id: ID) {
    exposures[id] = .told
    tell(id)
  }

  /// Less than half is visible: an exposure that was told goes on, one that wasn't starts over.
  private func interrupt(_ id: ID) {
    if case .dwelling = exposures[id] { end(id) }
  }

  private func end(_ id: ID) {
    if case .dwelling(let task) = exposures.removeValue(forKey: id) { task.cancel() }
  }
}
