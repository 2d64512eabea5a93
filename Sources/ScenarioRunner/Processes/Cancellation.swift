import CSupervision
import Foundation
import Synchronization

/// Tells every worker that the run is to end: SIGINT or SIGTERM came.
///
/// The descriptor polls readable from then on, so that a worker that waits for an app wakes up.
package final class Cancellation: Sendable {
  private let signal = Mutex<Int32?>(nil)
  private let ends: (reading: Int32, writing: Int32)

  package init() throws {
    var ends: [Int32] = [-1, -1]
    guard csupervision_pipe(&ends) == 0 else { throw SystemError("pipe") }
    self.ends = (ends[0], ends[1])
  }

  deinit {
    close(ends.reading)
    close(ends.writing)
  }

  /// Ends the run; only the first call counts.
  package func cancel(signal number: Int32) {
    let isFirst = signal.withLock { signal in
      defer { signal = signal ?? number }
      return signal == nil
    }
    var byte: UInt8 = 1
    if isFirst { _ = write(ends.writing, &byte, 1) }
  }

  /// The signal that came, if one came.
  package var cancellingSignal: Int32? { signal.withLock { $0 } }

  var descriptor: Int32 { ends.reading }
}
