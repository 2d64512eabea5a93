import Foundation

/// Writing to an app that is gone must be an error, not the end of this process.
package enum BrokenPipes {
  /// For the calling thread alone, so that a process that runs scenarios beside its own work keeps
  /// its signal actions. The signal is sent to the thread that writes; apps get an empty mask.
  package static func blockSignal() {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGPIPE)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
  }
}
