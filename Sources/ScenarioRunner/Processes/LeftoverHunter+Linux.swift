#if os(Linux)
  import CSupervision
  import Foundation
  import Synchronization

  /// Finds orphans among the children of the runner, which is their reaper: also those that left the
  /// app's process group and session and cleared their environment.
  final class LeftoverHunter: Sendable {
    /// How long what an app leaves may take to end by itself: a helper that ends with its app ends a
    /// moment after it.
    private static let patience = Duration.milliseconds(250)
    /// How long where it is about to run, and on a busy machine only waits for its turn.
    private static let patienceWithBusy = Duration.seconds(3)
    /// How long what starts another process before each one ends is tried to be killed.
    private static let patienceWithChains = Duration.seconds(10)
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

    /// Starts an app, and knows it from then on as an app of this run, not a leftover: under the lock, so
    /// that nobody takes it for an orphan.
    ///
    /// - Parameter spawn: is given the mark by which what the app starts is known, see
    ///   `csupervision_spawn`.
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

    /// Ends all that an app started, once the app itself has ended and before it is reaped; then reaps
    /// it.
    ///
    /// - Parameters:
    ///   - marker: a text that only this launch's environment holds.
    ///   - watch: knows whether anything of the launch is left, whatever it did to hide.
    /// - Returns: what was still there, in the order of the ids.
    func cleanUp(after pid: Int32, marker: String, watch: SealWatch?) -> [Leftover] {
      let app = App(pid: pid, mark: apps.withLock { $0[pid] }, marker: marker)
      let start = ContinuousClock.now
      var found: [Int32: Leftover] = [:]
      while true {
        let orphans = orphans(of: app)
        let new = orphans.living.filter { found[$0] == nil }
        // What ends, or is killed, leaves its own children as orphans: only a round that meets neither
        // is the last.
        if orphans.ended.isEmpty, new.isEmpty { break }
        let waited = ContinuousClock.now - start
        // By then, what goes on starting others lives on in them, however soon each of them ends.
        if waited > Self.patienceWithBusy {
          for ended in orphans.ended { found[ended.pid] = ended }
        }
        if waited > Self.patienceWithChains { break }
        for orphan in new where !endsByItself(orphan, since: start) {
          found[orphan] = Leftover(pid: orphan, name: ProcessTable.status(of: orphan)?.name ?? "?")
          end(orphan)
        }
      }
      AppSignal.send(SIGKILL, to: pid)
      apps.withLock { apps in
        apps.removeValue(forKey: pid)
        _ = csupervision_reap(pid)
      }
      watchdog.remove(pid)
      if let watch, !watch.isDeserted {
        for disguised in endDisguised(watch) { found[disguised.pid] = disguised }
      }
      return found.values.sorted { $0.pid < $1.pid }
    }

    /// Ends every app that was started and not cleaned up, without grace.
    func killAll() { AppSignal.end(apps.withLock { $0.keys }) }

    /// Ends what bears no sign of its app any more, having changed its group, its environment and its
    /// mark: of the children of this process, those that have a filter more than it has itself.
    ///
    /// That one isn't another launch's can't be told; but that one would have hidden in the same way.
    private func endDisguised(_ watch: SealWatch) -> [Leftover] {
      let filters = ProcessTable.filterCount(of: "self")
      let disguised = children.filter { child in
        csupervision_mark_of_process(child) >> 32 != UInt64(UInt32(getpid()))
          && ProcessTable.filterCount(of: "\(child)") > filters
      }
      let found = disguised.map { child in
        Leftover(pid: child, name: ProcessTable.status(of: child)?.name ?? "?")
      }
      for child in disguised { end(child) }
      if !found.isEmpty || watch.isDeserted { return found }
      return [Leftover(pid: 0, name: "a process that can't be found")]
    }

    /// Those of this process but for apps and the watchdog. Nothing is reaped meanwhile: the system leaves
    /// out children where others go from the list.
    private var children: [Int32] {
      apps.withLock { apps in
        ProcessTable.children().filter { apps[$0] == nil && $0 != watchdogProcess }
      }
    }

    private struct App {
      var pid: Int32
      var mark: UInt64?
      var marker: String
    }

    private struct Orphans {
      var living: [Int32] = []
      /// They had ended by themselves, and are reaped now.
      var ended: [Leftover] = []
    }

    /// The runner's children that descend from the app.
    ///
    /// In a process that has other work too, most children are none of ours: only what bears a sign of
    /// this very app is touched.
    private func orphans(of app: App) -> Orphans {
      var orphans = Orphans()
      for child in children {
        guard let status = ProcessTable.status(of: child) else { continue }
        // Other children belong to whoever started them, and are reaped by them.
        guard
          status.group == app.pid || csupervision_mark_of_process(child) == app.mark
            || ProcessTable.environment(of: child).contains(app.marker)
        else { continue }
        // A process whose first thread has ended looks like a zombie, and can't be reaped.
        if status.isZombie, reap(child) {
          orphans.ended.append(Leftover(pid: child, name: status.name))
        } else {
          orphans.living.append(child)
        }
      }
      return orphans
    }

    /// - Returns: whether it is gone.
    private func reap(_ pid: Int32) -> Bool {
      apps.withLock { _ in csupervision_reap(pid) != 0 }
    }

    private func endsByItself(_ pid: Int32, since start: ContinuousClock.Instant) -> Bool {
      let notice = Descriptor(csupervision_exit_descriptor(pid))
      guard notice.isOpen else { return false }
      let limit = start + Self.patienceWithBusy
      var deadline = start + Self.patience
      while !isReadable(notice.number, before: deadline) {
        guard ContinuousClock.now < limit, ProcessTable.isBusy(pid) else { return false }
        deadline = min(limit, .now + .milliseconds(20))
      }
      return reap(pid)
    }

    private func isReadable(_ descriptor: Int32, before deadline: ContinuousClock.Instant) -> Bool {
      var waited = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      let left = max(.zero, ContinuousClock.now.duration(to: deadline))
      return poll(&waited, 1, Int32(clamping: Int(left / .milliseconds(1)))) > 0
    }

    private func end(_ pid: Int32) {
      // What changed its user can't be ended: it is told all the same.
      guard kill(pid, SIGKILL) == 0 else { return }
      var ended = csupervision_exit()
      csupervision_wait_without_reaping(pid, &ended)
      _ = reap(pid)
    }
  }
#endif
