#if os(Linux)
  import Foundation

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
      let descriptor = open(path, O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { return [] }
      defer { close(descriptor) }
      var contents: [UInt8] = []
      while ReadBuffer.read(from: descriptor, { contents += $0 }) == .some {}
      return contents
    }
  }
#endif
