import Dispatch

/// Waits until the app has come to rest: no request under way, no job running or queued, the main
/// queue empty.
struct Settling: Sendable {
  let counter: WorkCounter
  let mainLoop: MainLoop
  /// Makes cancelled requests count that wait for the clock: a cancellation is not seen at once.
  var flushCancellations: @Sendable () -> Void = {}
  /// How long an app may go on before it is said never to rest.
  let limit: Duration

  /// Blocks the calling thread, which must be the dialogue's own.
  ///
  /// - Throws: what is still running, where the app does not rest within `limit`.
  func waitBlocking() throws(RestlessApp) {
    let deadline = DispatchTime.now() + limit / .seconds(1)
    while true {
      guard counter.waitUntilIdle(before: deadline) else { throw restless }
      // Read before the count is looked at again: what begins in between must not be missed.
      let epoch = counter.epoch
      guard counter.isIdle else { continue }
      // Work on the main queue is not counted, but what it starts is. If the queue is empty twice
      // and nothing was counted in between, then nothing ran that could still start something.
      for _ in 0..<2 {
        guard mainLoop.waitUntilIdle(before: deadline) else { throw restless }
      }
      flushCancellations()
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

  private var restless: RestlessApp {
    RestlessApp(
      limit: limit, jobs: counter.outstanding(.job), requests: counter.outstanding(.request),
      announced: counter.outstanding(.announced))
  }
}

/// An app that does not come to rest, with what is still running.
struct RestlessApp: Error, CustomStringConvertible {
  var limit: Duration
  var jobs: Int
  var requests: Int
  var announced: Int

  var description: String {
    var running: [String] = []
    if requests > 0 { running.append("\(requests) request(s) without an answer") }
    if jobs > 0 { running.append("\(jobs) job(s) of Swift concurrency") }
    if announced > 0 { running.append("\(announced) announced piece(s) of work") }
    if running.isEmpty { running.append("blocks on the main queue that start each other") }
    return "The app did not come to rest within \(limit / .seconds(1)) s. Still running: "
      + running.joined(separator: ", ") + "."
  }
}
