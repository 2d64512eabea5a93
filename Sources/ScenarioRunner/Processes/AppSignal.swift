import Foundation

/// A signal to an app.
enum AppSignal {
  /// To its whole process group; to the app alone where it has no group of its own.
  ///
  /// - Parameter app: must not be reaped: its id could be another's.
  static func send(_ signal: Int32, to app: pid_t) {
    if kill(-app, signal) != 0 { kill(app, signal) }
  }
}
