import Foundation

/// Counts pieces that are done, from any thread.
final class Counter: @unchecked Sendable {
  /// How many pieces of each kind there are.
  static let pieces = 100

  // The lock guards it.
  private var count = 0
  private let lock = NSLock()

  var value: Int { lock.withLock { count } }
  func add() { lock.withLock { count += 1 } }
  func reset() { lock.withLock { count = 0 } }
}
