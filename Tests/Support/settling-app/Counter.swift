import Synchronization

/// Counts pieces that are done, from any thread.
final class Counter: Sendable {
  /// How many pieces of each kind there are.
  static let pieces = 100

  private let count = Mutex(0)

  var value: Int { count.withLock { $0 } }
  func add() { count.withLock { $0 += 1 } }
  func reset() { count.withLock { $0 = 0 } }
}
