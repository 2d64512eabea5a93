import CSupervision
import Synchronization

/// Ends the apps of a run whose runner dies before it has done so: nothing outlives a SIGKILL.
final class Watchdog: Sendable {
  /// Unchecked: what it points to is changed by atomic operations alone, and freed once.
  private struct Handle: @unchecked Sendable {
    let pointer: OpaquePointer
  }

  /// `nil` once it was stopped, or where the system had no process for it: then a run goes on
  /// without.
  private let handle: Mutex<Handle?>

  /// - Parameter marker: a text that only the environments of this run's apps hold.
  init(capacity: Int, marker: String) {
    let pointer = csupervision_watchdog_start(Int32(clamping: capacity), marker)
    handle = Mutex(pointer.map(Handle.init))
  }

  deinit { stop() }

  /// Its own process; `nil` where there is none.
  var process: Int32? {
    handle.withLock { $0.map { csupervision_watchdog_process($0.pointer) } }
  }

  func add(_ group: Int32) {
    handle.withLock { if let handle = $0 { csupervision_watchdog_add(handle.pointer, group) } }
  }

  func remove(_ group: Int32) {
    handle.withLock { if let handle = $0 { csupervision_watchdog_remove(handle.pointer, group) } }
  }

  /// Sends it away: the run has ended, and its apps with it.
  func stop() {
    handle.withLock { handle in
      if let handle { csupervision_watchdog_stop(handle.pointer) }
      handle = nil
    }
  }
}
