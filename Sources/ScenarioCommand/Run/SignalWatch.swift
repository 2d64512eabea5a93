import Dispatch
import Foundation
import ScenarioRunner

/// Turns SIGINT and SIGTERM into the end of a run; a second one ends at once.
final class SignalWatch {
  private let sources: [any DispatchSourceSignal]

  /// - Parameter killApps: ends every app without grace.
  init(cancellation: Cancellation, killApps: @escaping @Sendable () -> Void) {
    let queue = DispatchQueue(label: "signals")
    sources = [SIGINT, SIGTERM].map { number in
      // The source sees it; the default action must not end the process first.
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler {
        guard cancellation.cancellingSignal != nil else {
          return cancellation.cancel(signal: number)
        }
        killApps()
        _exit(128 + number)
      }
      source.activate()
      return source
    }
  }

  func stop() {
    for source in sources { source.cancel() }
  }
}
