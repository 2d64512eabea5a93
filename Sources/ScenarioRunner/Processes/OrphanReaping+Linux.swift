#if os(Linux)
  import CSupervision
  import Synchronization

  /// While one lives, this process is the reaper of its orphaned descendants; after the last it is
  /// what it was before.
  ///
  /// A process that runs scenarios beside its own work gets the orphans of its own children meanwhile,
  /// too. Nobody touches them.
  final class OrphanReaping: Sendable {
    private struct Users {
      var count = 0
      var wasReaper: Int32 = 0
    }

    /// Global, because what it counts is a property of the process.
    private static let users = Mutex(Users())

    init() {
      Self.users.withLock { users in
        if users.count == 0 { users.wasReaper = csupervision_set_subreaper(true) }
        users.count += 1
      }
    }

    deinit {
      Self.users.withLock { users in
        users.count -= 1
        if users.count == 0, users.wasReaper == 0 { _ = csupervision_set_subreaper(false) }
      }
    }
  }
#endif
