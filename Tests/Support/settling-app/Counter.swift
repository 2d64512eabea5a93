import Foundation
import Synchronization

/// Counts pieces that are done, from any thread.
final class Counter: Sendable {
  /// How many pieces of each kind there are, 100 where the scenario doesn't say it.
  static let pieces = ProcessInfo.processInfo.environment["PIECES"].flatMap { Int($0) } ?? 100

  private let count = Mutex(0)

  var value: Int { count.withLock { $0 } }
  func add() { count.withLock { $0 += 1 } }
  func reset() { count.withLock { $0 = 0 } }
}
