import Foundation

/// Holds threads up for moments of random length where they hand work over, so that races that a
/// quiet machine hides come out.
///
/// Off, unless the environment names the longest moment: `SCENARIO_JITTER=500`, in microseconds. It
/// changes when things happen, never what is waited for.
enum SchedulingJitter {
  static let environmentKey = "SCENARIO_JITTER"

  private static let longest: UInt32? = ProcessInfo.processInfo.environment[environmentKey]
    .flatMap { UInt32($0) }

  static func pause() {
    guard let longest, longest > 0 else { return }
    usleep(UInt32.random(in: 0...longest))
  }
}
