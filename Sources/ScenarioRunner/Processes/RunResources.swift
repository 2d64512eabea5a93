import CSupervision
import Foundation
import ScenarioCore
import Synchronization

/// What runs together shares: a folder, and what sees to it that no app outlives its scenario or its runner.
///
/// While it lives, this process has a child of its own (the watchdog), and on Linux it is the reaper
/// of its orphaned descendants. Children that are not of its apps are never touched.
final class RunResources: Sendable {
  let folder: RunFolder
  let hunter: LeftoverHunter
  private let watchdog: Watchdog
  private let seal: Seal

  /// - Parameters:
  ///   - appLimit: how many apps run at a time at most.
  ///   - seals: which may be used; the strongest that the system allows is.
  init(
    in temporaryDirectory: String, appLimit: Int, seals: Set<NetworkSeal>
  ) throws(SystemError) {
    folder = try RunFolder(in: temporaryDirectory)
    watchdog = Watchdog(capacity: max(1, appLimit), marker: folder.path + "/")
    hunter = LeftoverHunter(watchdog: watchdog)
    seal = Seal(among: seals)
  }

  /// - Returns: `nil` where the apps may reach the network.
  func seal(_ settings: RunSettings) -> Seal? { settings.network == .open ? nil : seal }

  /// All apps have ended.
  func close() {
    watchdog.stop()
    seal.stop()
    folder.remove()
  }

  deinit { seal.stop() }
}

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

/// A process that an app started and that was still there after it.
package struct Leftover: Sendable, Equatable, CustomStringConvertible {
  /// 0 where it isn't known.
  package var pid: Int32
  /// The program's name.
  package var name: String

  package var description: String { pid == 0 ? name : "\(name) (process \(pid))" }
}
