import Dispatch

/// Waits until the app has come to rest: no request under way, no job running or queued, the main
/// queue empty.
struct Settling: Sendable {
  let counter: WorkCounter
  let mainLoop: MainLoop
  /// Waits for what requests have set in motion, as the app's callbacks, before a deadline.
  var flush: @Sendable (DispatchTime) -> Bool = { _ in true }
  /// How long an app may go on before it is said never to rest.
  let limit: Duration
  /// How many jobs and requests an app may begin meanwhile: an endless loop of them reaches it at the
  /// same one in every run.
  var workLimit = 1_000_000

  /// Blocks the calling thread, which must be the dialogue's own.
  ///
  /// - Throws: what is still running, where the app does not rest within `limit`.
  func waitBlocking() throws(RestlessApp) {
    let deadline = DispatchTime.now() + limit / .seconds(1)
    let lastEpoch = counter.epoch + workLimit
    while true {
      let isIdle = counter.waitUntilIdle(before: deadline, limit: lastEpoch)
      guard counter.epoch < lastEpoch else { throw restless(isOverLimit: true) }
      guard isIdle else { throw restless() }
      // Read before the count is looked at again: what begins in between must not be missed.
      let epoch = counter.epoch
      guard counter.isIdle else { continue }
      // Callbacks and work on the main queue are not counted, but what they start is. If all is
      // empty twice and nothing was counted in between, then nothing ran that could still start
      // something.
      for _ in 0..<2 {
        guard flush(deadline) else { throw restless() }
        guard mainLoop.waitUntilIdle(before: deadline) else { throw restless() }
      }
      if counter.isIdle, counter.epoch == epoch { return }
    }
  }

  /// The same from Swift concurrency, whose threads must not be blocked.
  func wait() async throws {
    try await withCheckedThrowingContinuation { continuation in
      DispatchQueue(label: "settling").async {
        continuation.resume(with: Result { try waitBlocking() })
      }
    }
  }

  private func restless(isOverLimit: Bool = false) -> RestlessApp {
    RestlessApp(
      reason: isOverLimit
        ? "The app never rests: it began \(workLimit) jobs and requests"
        : "The app did not come to rest within \(limit / .seconds(1)) s",
      running: WorkCounter.Kind.allCases.map { ($0, counter.outstanding($0)) })
  }
}

/// An app that does not come to rest, with what is still running.
struct RestlessApp: Error, CustomStringConvertible {
  var reason: String
  var running: [(kind: WorkCounter.Kind, count: Int)]

  var description: String {
    let told = running.filter { $0.count > 0 }.map { "\($0.count) \(Self.words(for: $0.kind))" }
    let rest =
      told.isEmpty
      ? "callbacks of a session, or blocks on the main queue that start each other"
      : told.joined(separator: ", ")
    return "\(reason). Still running: \(rest)."
  }

  private static func words(for kind: WorkCounter.Kind) -> String {
    switch kind {
    case .job: "job(s) of Swift concurrency"
    case .sleep: "Task.sleep in real time (inject the launch's clock instead)"
    case .request: "request(s) without an answer"
    case .announced: "announced piece(s) of work"
    }
  }
}
