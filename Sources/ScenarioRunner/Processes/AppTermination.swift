import CSupervision
import Foundation

/// How an app is ended that doesn't end by itself.
package enum AppTermination {
  /// From SIGTERM to SIGKILL.
  package static let gracePeriod = Duration.seconds(2)

  /// Asks an app to end, and kills it after the grace period.
  static func terminate(_ process: AppProcess, gracePeriod: Duration) {
    AppSignal.send(SIGTERM, to: process.pid)
    process.closeInput()
    if process.waitForExit(before: .now + gracePeriod) == nil { kill(process) }
  }

  /// Ends an app as the system would, without a word.
  static func kill(_ process: AppProcess) {
    AppSignal.send(SIGKILL, to: process.pid)
    _ = process.waitForExit(before: .now + .seconds(10))
  }
}

/// A signal to an app.
enum AppSignal {
  /// To its whole process group; to the app alone where it has no group of its own.
  ///
  /// - Parameter app: must not be reaped: its id could be another's.
  static func send(_ signal: Int32, to app: pid_t) {
    if kill(-app, signal) != 0 { kill(app, signal) }
  }

  /// Kills apps, and waits until they are gone, so that nobody meets them after the run; for a second
  /// at most each, as one that the system holds up can't be waited for.
  static func end(_ apps: some Collection<pid_t>) {
    for app in apps { send(SIGKILL, to: app) }
    for app in apps {
      let notice = Descriptor(csupervision_exit_descriptor(app))
      guard notice.isOpen else { continue }
      var waited = pollfd(fd: notice.number, events: Int16(POLLIN), revents: 0)
      poll(&waited, 1, 1000)
    }
  }
}
