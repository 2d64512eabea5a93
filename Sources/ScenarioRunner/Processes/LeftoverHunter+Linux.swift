#if os(Linux)
  import CSystem
  import Foundation
  import Synchronization

  /// Finds orphans among the children of the runner, which is their reaper: also those that left the
  /// app's process group and session and cleared their environment.
  final class LeftoverHunter: LeftoverHunting {
    /// How long what an app leaves may take to end by itself: a helper that ends with its app ends a
    /// moment after it.
    private static let patience = Duration.milliseconds(250)
    /// How long where it is about to run, and on a busy machine only waits for its turn.
    private static let patienceWithBusy = Duration.seconds(3)
    /// Marks are unique in the whole process, as are the children among which they are looked for.
    private static let serial = Atomic<UInt32>(1)

    private let watchdog: Watchdog
    private let watchdogProcess: Int32?
    /// The apps that run, with their marks.
    private let apps = Mutex<[Int32: UInt64]>([:])
    private let reaping = OrphanReaping()

    init(watchdog: Watchdog) {
      self.watchdog = watchdog
      watchdogProcess = watchdog.process
    }

    /// Under the lock, so that nobody takes an app that was just started for an orphan.
    func start(_ spawn: (UInt64) throws(SystemError) -> Int32) throws(SystemError) -> Int32 {
      let (_, serial) = Self.serial.wrappingAdd(1, ordering: .relaxed)
      let mark = UInt64(UInt32(getpid())) << 32 | UInt64(serial)
      return try apps.withLock { apps throws(SystemError) in
        let pid = try spawn(mark)
        watchdog.add(pid)
        apps[pid] = mark
        return pid
      }
    }

    func cleanUp(after pid: Int32, marker: String) -> [Leftover] {
      let app = App(pid: pid, mark: apps.withLock { $0[pid] }, marker: marker)
      let deadline = ContinuousClock.now + Self.patience
      var found: [Int32: Leftover] = [:]
      // What is killed leaves orphans in its turn, which the next round finds.
      while case let orphans = orphans(of: app).filter({ found[$0] == nil }), !orphans.isEmpty {
        for orphan in orphans where !endsByItself(orphan, before: deadline) {
          found[orphan] = Leftover(pid: orphan, name: ProcessTable.status(of: orphan)?.name ?? "?")
          end(orphan)
        }
      }
      AppSignal.send(SIGKILL, to: pid)
      apps.withLock { _ = $0.removeValue(forKey: pid) }
      watchdog.remove(pid)
      _ = csystem_reap(pid)
      return found.values.sorted { $0.pid < $1.pid }
    }

    func killAll() {
      AppSignal.end(apps.withLock { $0.keys })
    }

    private struct App {
      var pid: Int32
      var mark: UInt64?
      var marker: String
    }

    /// The runner's children that descend from the app. Zombies among them are reaped: they had
    /// ended by themselves.
    ///
    /// In a process that has other work too, most children are none of ours: only what bears a sign of
    /// this very app is touched.
    private func orphans(of app: App) -> [Int32] {
      let children = apps.withLock { apps in
        ProcessTable.children().filter { apps[$0] == nil && $0 != watchdogProcess }
      }
      return children.filter { child in
        guard let status = ProcessTable.status(of: child) else { return false }
        // Other children belong to whoever started them, and are reaped by them.
        guard
          status.group == app.pid || csystem_mark_of_process(child) == app.mark
            || ProcessTable.environment(of: child).contains(app.marker)
        else { return false }
        if status.isZombie { _ = csystem_reap(child) }
        return !status.isZombie
      }
    }

    private func endsByItself(_ pid: Int32, before deadline: ContinuousClock.Instant) -> Bool {
      let notice = Descriptor(csystem_exit_descriptor(pid))
      guard notice.isOpen else { return false }
      let limit = deadline - Self.patience + Self.patienceWithBusy
      var deadline = deadline
      while !isReadable(notice.number, before: deadline) {
        guard ContinuousClock.now < limit, ProcessTable.isBusy(pid) else { return false }
        deadline = min(limit, .now + .milliseconds(20))
      }
      _ = csystem_reap(pid)
      return true
    }

    private func isReadable(_ descriptor: Int32, before deadline: ContinuousClock.Instant) -> Bool {
      var waited = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      let left = max(.zero, ContinuousClock.now.duration(to: deadline))
      return poll(&waited, 1, Int32(clamping: Int(left / .milliseconds(1)))) > 0
    }

    private func end(_ pid: Int32) {
      // What changed its user can't be ended: it is told all the same.
      guard kill(pid, SIGKILL) == 0 else { return }
      var ended = csystem_exit()
      csystem_wait_without_reaping(pid, &ended)
      _ = csystem_reap(pid)
    }
  }
#endif
