import CAppWorld
import Foundation

/// Holds threads up for moments of random length where they hand work over, so that races that a
/// quiet machine hides come out.
///
/// Off, unless the environment names the longest moment: `SCENARIO_JITTER=500`, in microseconds. It
/// changes when things happen, never what is waited for.
enum SchedulingJitter {
  static let environmentKey = "SCENARIO_JITTER"

  static func start(_ environment: [String: String]) {
    if let longest = environment[environmentKey].flatMap({ UInt32($0) }) {
      appworld_set_jitter(longest)
    }
  }

  static func pause() { appworld_pause() }
}
