import Foundation
import TestSupport
import Testing

/// A folder with these files, a project of its own, in which shell scripts run the command; what varies in their output is
/// masked.
struct ShellFolder {
  /// An app of a few lines, which starts in a millisecond.
  static let app = #"""
    #!/bin/sh
    while IFS= read -r line; do
      id=${line#*\"id\":}; id=${id%%[!0-9]*}
      case $line in
        *\"initialize\"*) result='"protocolVersion":1,"app":{"name":"a"},"actions":["tap"]' ;;
        *) result= ;;
      esac
      echo '{"jsonrpc":"2.0","id":'$id',"result":{'$result'}}'
    done
    """#

  let path: String

  /// - Parameter files: by their paths in the folder; those that begin with `#!` are executable.
  init(_ files: [String: String] = [:]) throws {
    path = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
      .appending(path: "scenario-run-tests-\(UUID().uuidString)").path(percentEncoded: false)
    try FileManager.default.createDirectory(
      atPath: path + "/tmp", withIntermediateDirectories: true)
    let others = FileFolder.marker.merging(["app.sh": Self.app]) { $1 }
    for (name, text) in files.merging(others, uniquingKeysWith: { own, _ in own }) {
      let file = path + "/" + name
      let folder = (file as NSString).deletingLastPathComponent
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      try TestFile.write(text.utf8, to: file)
      if text.hasPrefix("#!") { chmod(file, 0o755) }
    }
  }

  func remove() { try? FileManager.default.removeItem(atPath: path) }

  /// Runs a script, which finds the programs as `$RUN`, `$FAULTY` and `$DEMO`, an empty folder as
  /// `$TMPDIR`, and the package as `$PACKAGE`.
  func bash(_ script: String) throws -> BuiltProgram.Outcome {
    try run(["/bin/bash", "-c", script])
  }

  /// The same where `$DISK` is a disk of its own, of so many kibibytes.
  func bash(_ script: String, onDisk options: String) throws -> BuiltProgram.Outcome {
    let mount = "mkdir -p disk && mount -t tmpfs -o \(options) none disk && export DISK=$PWD/disk"
    return try run(SmallDisk.command + [mount + " || exit 99\n" + script])
  }

  private func run(_ command: [String]) throws -> BuiltProgram.Outcome {
    var outcome = BuiltProgram.Outcome(
      try RunningProgram(
        command[0], Array(command.dropFirst()), folder: path,
        environment: [
          "PATH": "/usr/bin:/bin", "NO_COLOR": "1", "TMPDIR": path + "/tmp",
          "RUN": BuiltProgram.path(of: "scenario-run"),
          "FAULTY": BuiltProgram.path(of: "faulty-app"),
          "DEMO": BuiltProgram.path(of: "demo-app"),
          "WITHOUT": BuiltProgram.path(of: "launch-without"),
          "PACKAGE": BuiltProgram.packageFolder.path(percentEncoded: false),
        ]))
    (outcome.output, outcome.errors) = (masked(outcome.output), masked(outcome.errors))
    return outcome
  }

  private func masked(_ text: String) -> String {
    // Long texts are broken at blanks, which are compared as they are worded.
    text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: " ")
      .replacing(path, with: "FOLDER")
      .replacing(/scenario-run\.[A-Za-z0-9]{6}/, with: "RUN")
      .replacing(/[0-9]+\.[0-9]{2} s/, with: "TIME")
  }
}

/// What the machine must have for most faults to be caused.
enum FaultMachine {
  #if os(Linux)
    static let isLinux = true
  #else
    static let isLinux = false
  #endif
  static let reason: Comment = "it takes Linux: /proc, /dev/full, namespaces, limits on memory"
}

/// Disks that are full or can't be written, without anybody's rights: in a namespace of the test's own.
enum SmallDisk {
  static let command = [
    "/usr/bin/unshare", "--user", "--map-root-user", "--mount", "/bin/bash", "-c",
  ]

  static let isAvailable: Bool = {
    let folder = try? ShellFolder()
    defer { folder?.remove() }
    return (try? folder?.bash("exit 7", onDisk: "size=4k").exitCode) == 7
  }()
}
