#if canImport(Darwin)
  import CSupervision
  import Foundation
  import Synchronization

  /// Ends the app's process group. A process that left the group can't be found here: the system
  /// has no reaper of orphans.
  final class LeftoverHunter: Sendable {
    private let watchdog: Watchdog
    private let apps = Mutex<Set<Int32>>([])

    init(watchdog: Watchdog) {
      self.watchdog = watchdog
    }

    func start(_ spawn: (UInt64) throws(SystemError) -> Int32) throws(SystemError) -> Int32 {
      let pid = try spawn(0)
      apps.withLock { _ = $0.insert(pid) }
      watchdog.add(pid)
      return pid
    }

    func killAll() { AppSignal.end(apps.withLock { $0 }) }

    func cleanUp(after pid: Int32, marker: String, watch: SealWatch?) -> [Leftover] {
      var members = [Int32](repeating: 0, count: 1024)
      let bytes = Int32(members.count * MemoryLayout<Int32>.stride)
      let count = Int(proc_listpgrppids(pid, &members, bytes))
      let leftovers = members.prefix(max(0, count)).filter { $0 != pid && $0 > 0 }.sorted()
        .map { Leftover(pid: $0, name: name(of: $0)) }
      AppSignal.send(SIGKILL, to: pid)
      apps.withLock { _ = $0.remove(pid) }
      watchdog.remove(pid)
      _ = csupervision_reap(pid)
      return leftovers
    }

    private func name(of pid: Int32) -> String {
      var buffer = [UInt8](repeating: 0, count: 256)
      let count = proc_name(pid, &buffer, UInt32(buffer.count))
      return count > 0 ? String(decoding: buffer.prefix(Int(count)), as: UTF8.self) : "?"
    }
  }
#endif
