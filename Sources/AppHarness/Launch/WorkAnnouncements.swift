import Synchronization

/// Announces work that the kit can't see: that of another process, and of dispatch queues where the app has
/// its libraries linked into it.
public struct WorkAnnouncements: Sendable {
  let counter: WorkCounter

  /// Work under way: call `end` once it is done.
  public final class Token: Sendable {
    private let counter: WorkCounter
    private let hasEnded = Atomic<Bool>(false)

    init(_ counter: WorkCounter) {
      self.counter = counter
      counter.begin(.announced)
    }

    deinit { end() }

    /// Safe to be called again.
    public func end() {
      guard !hasEnded.exchange(true, ordering: .sequentiallyConsistent) else { return }
      counter.end(.announced)
    }
  }

  /// Announces work, before it is started.
  public func begin() -> Token { Token(counter) }

  /// Announces the work for as long as it takes.
  public func during<Value>(_ work: () throws -> Value) rethrows -> Value {
    let token = begin()
    defer { token.end() }
    return try work()
  }
}
