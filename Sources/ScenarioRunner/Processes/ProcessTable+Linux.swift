#if os(Linux)
  import CSupervision
  import Foundation
  import Synchronization

  /// What `/proc` says of processes.
  enum ProcessTable {
    struct Status {
      var name: String
      var isZombie: Bool
      /// Whether it runs, waits for its turn to run, or for a disk.
      var isBusy: Bool
      var group: Int32
    }

    /// The children of this process, of whichever thread they are.
    static func children() -> [Int32] { children(of: "self") }

    private static func children(of process: String) -> [Int32] {
      (FolderContents.names(in: "/proc/\(process)/task") ?? []).flatMap { thread in
        contents(of: "/proc/\(process)/task/\(thread)/children").split(separator: UInt8(ascii: " "))
          .compactMap { Int32(String(decoding: $0, as: UTF8.self)) }
      }
    }

    /// Whether a process or one that it started is busy: it does something, of which it may end.
    static func isBusy(_ pid: Int32) -> Bool {
      status(of: pid)?.isBusy == true || children(of: "\(pid)").contains(where: isBusy)
    }

    /// - Returns: `nil` where the process is gone.
    static func status(of pid: Int32) -> Status? {
      // "pid (name) state parent group …": the name may hold spaces and parentheses.
      let text = String(decoding: contents(of: "/proc/\(pid)/stat"), as: UTF8.self)
      guard let open = text.firstIndex(of: "("), let close = text.lastIndex(of: ")") else {
        return nil
      }
      let fields = text[text.index(after: close)...].split(separator: " ")
      guard fields.count > 2, let group = Int32(fields[2]) else { return nil }
      return Status(
        name: String(text[text.index(after: open)..<close]), isZombie: fields[0] == "Z",
        isBusy: fields[0] == "R" || fields[0] == "D", group: group)
    }

    /// How many filters of system calls a process has, its parents' included (Linux 5.9).
    static func filterCount(of process: String) -> Int {
      let text = String(decoding: contents(of: "/proc/\(process)/status"), as: UTF8.self)
      let line = text.split(separator: "\n").first { $0.hasPrefix("Seccomp_filters:") }
      return line?.split(separator: "\t").last.flatMap { Int($0) } ?? 0
    }

    static func environment(of pid: Int32) -> String {
      String(decoding: contents(of: "/proc/\(pid)/environ"), as: UTF8.self)
    }

    private static func contents(of path: String) -> [UInt8] {
      (try? LocalFiles().bytes(ofFile: path)) ?? []
    }
  }

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
