import Foundation

enum Measurement {
  /// The shortest of several runs: what others do on the machine only makes a run longer.
  static func seconds(runs: Int = 5, _ work: () throws -> Void) rethrows -> Double {
    var best = Double.infinity
    for _ in 0..<runs {
      let clock = ContinuousClock()
      let duration = try clock.measure { try work() }
      let (seconds, attoseconds) = duration.components
      best = min(best, Double(seconds) + Double(attoseconds) / 1e18)
    }
    return best
  }

  static func text(_ value: Double, _ digits: Int = 2) -> String {
    String(format: "%.\(digits)f", value)
  }
}
