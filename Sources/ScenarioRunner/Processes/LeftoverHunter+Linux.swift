#if os(Linux)
  import CSystem
  import Foundation
  import Synchronization

  /// Finds orphans among the children of the runner, which is their reaper: also those that left the
  /// app's process group and session.
  final class LeftoverHunter: LeftoverHunting {
    private let apps = Mutex<Set<Int32>>([])

    init() {
      _ = csystem_become_subreaper()
    }

    /// Under the lock, so that nobody takes an app that was just started for an orphan.
    func start(_ spawn: () throws(SystemError) -> Int32) throws(SystemError) -> Int32 {
      try apps.withLock { apps throws(SystemError) in
        let pid = try spawn()
        apps.insert(pid)
        return pid
      }
    }

    func cleanUp(after pid: Int32, marker: String) -> [Leftover] {
      var found: Set<Int32> = []
      var leftovers: [Leftover] = []
      // What is killed leaves orphans in its turn, which the next round finds.
      while case let orphans = orphans(of: pid, marker: marker), !orphans.isEmpty {
        for orphan in orphans {
          if found.insert(orphan).inserted { leftovers.append(describe(orphan)) }
          kill(orphan, SIGKILL)
          var ended = csystem_exit()
          csystem_wait_without_reaping(orphan, &ended)
          _ = csystem_reap(orphan)
        }
      }
      kill(-pid, SIGKILL)
      apps.withLock { _ = $0.remove(pid) }
      _ = csystem_reap(pid)
      return leftovers.sorted { $0.pid < $1.pid }
    }

    func killAll() {
      for app in apps.withLock({ $0 }) { kill(-app, SIGKILL) }
    }

    /// The runner's children that descend from the app. Zombies among them had ended by themselves:
    /// they are reaped and not counted.
    private func orphans(of app: Int32, marker: String) -> [Int32] {
      let children = apps.withLock { apps in
        ProcessTable.children().filter { !apps.contains($0) }
      }
      return children.filter { child in
        guard let status = ProcessTable.status(of: child) else { return false }
        if status.isZombie {
          _ = csystem_reap(child)
          return false
        }
        return status.group == app || ProcessTable.environment(of: child).contains(marker)
      }
    }

    private func describe(_ pid: Int32) -> Leftover {
      Leftover(pid: pid, name: ProcessTable.status(of: pid)?.name ?? "?")
    }
  }
#endif
