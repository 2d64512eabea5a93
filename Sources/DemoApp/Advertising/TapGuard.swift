/// Tells a deliberate tap from the bounce of one.
@MainActor final class TapGuard<ID: Hashable> {
  private let clock: any Clock<Duration>
  private let bounceTime: Duration
  /// The time since the last deliberate tap.
  private var elapsed: [ID: () -> Duration] = [:]

  init(clock: any Clock<Duration>, bounceTime: Duration = .milliseconds(300)) {
    self.clock = clock
    self.bounceTime = bounceTime
  }

  /// Whether a tap now is deliberate.
  func accepts(_ id: ID) -> Bool {
    if let elapsed = elapsed[id], elapsed() < bounceTime { return false }
    elapsed[id] = stopwatch(clock)
    return true
  }

  private func stopwatch(_ clock: some Clock<Duration>) -> () -> Duration {
    let start = clock.now
    return { start.duration(to: clock.now) }
  }
}
