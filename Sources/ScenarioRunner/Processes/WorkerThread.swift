import CSupervision
import Dispatch
import Synchronization

/// A plain thread: what blocks or takes long must not keep Swift concurrency's from their work.
final class WorkerThread {
  private let run: @Sendable () -> Void

  private init(_ run: @escaping @Sendable () -> Void) { self.run = run }

  /// Foundation's threads don't say that they could not be started.
  ///
  /// - Returns: 0, or the error's number.
  static func start(_ run: @escaping @Sendable () -> Void) -> Int32 {
    let context = Unmanaged.passRetained(WorkerThread(run))
    let code = csupervision_start_thread(
      { context in
        guard let context else { return }
        Unmanaged<WorkerThread>.fromOpaque(context).takeRetainedValue().run()
      }, context.toOpaque())
    if code != 0 { context.release() }
    return code
  }
}

extension Array where Element: Sendable {
  /// What a function makes of each element, by several threads at a time; by fewer where the system has
  /// none left.
  func mapped<Result: Sendable>(
    threads: Int, _ transform: @escaping @Sendable (Element) -> Result
  ) -> [Result] {
    guard threads > 1, count > 1 else { return map(transform) }
    let results = Mutex([Result?](repeating: nil, count: count))
    let next = Mutex(0)
    let work: @Sendable () -> Void = {
      while let index = next.withLock({ $0.take(below: count) }) {
        let result = transform(self[index])
        results.withLock { $0[index] = result }
      }
    }
    let others = DispatchGroup()
    for _ in 1..<Swift.min(threads, count) {
      others.enter()
      let code = WorkerThread.start {
        work()
        others.leave()
      }
      if code != 0 { others.leave() }
    }
    work()
    others.wait()
    return results.withLock { $0.compactMap(\.self) }
  }
}

extension Int {
  /// Counts on, up to a limit.
  fileprivate mutating func take(below limit: Int) -> Int? {
    guard self < limit else { return nil }
    defer { self += 1 }
    return self
  }
}
