import Dispatch
import Foundation
import ScenarioRunner

/// Turns SIGINT and SIGTERM into the end of a run; a second one ends at once.
final class SignalWatch {
  private let sources: [any DispatchSourceSignal]

  /// - Parameters:
  ///   - tell: called at the first signal, once the apps are being ended.
  ///   - killApps: ends every app without grace.
  init(
    cancellation: Cancellation, tell: @escaping @Sendable () -> Void,
    killApps: @escaping @Sendable () -> Void
  ) {
    let queue = DispatchQueue(label: "signals")
    sources = [SIGINT, SIGTERM].map { number in
      // The source sees it; the default action must not end the process first.
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler {
        guard cancellation.cancellingSignal != nil else {
          cancellation.cancel(signal: number)
          return tell()
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
