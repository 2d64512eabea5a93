import TestSupport
import Testing

@Suite(
  "A machine that allows too little", .waitsForPrograms,
  .enabled(if: FaultMachine.isLinux, FaultMachine.reason))
struct SmallMachineTests {
  private static let passing = #"{"app": "./app.sh", "actions": [{"tap": "b"}], "expected": []}"#

  @Test(
    "is told before anything runs, and neither hangs nor traps", .timeLimit(.minutes(10)),
    arguments: [
      ("ulimit -n 5;", "open files: Too many open files. Allow more open files, with ulimit -n. "),
      ("ulimit -n 8;", "Too many open files. Allow more open files, with ulimit -n. "),
      (
        "ulimit -v 200000; ulimit -s 100000;",
        "start a thread: Resource temporarily unavailable. Allow more processes, with ulimit -u, or "
          + "more memory, with ulimit -v. "
      ),
    ])
  func limits(limit: String, message: String) throws {
    let folder = try ShellFolder(["a.json": Self.passing, "b.json": Self.passing])
    defer { folder.remove() }
    let run = try folder.bash("\(limit) exec $RUN a.json b.json --jobs 2")
    #expect(run.exitCode == 2, "\(run.output)\(run.errors)")
    #expect(run.errors.contains("scenario-run: The run can't start: "), "\(run.errors)")
    #expect(run.errors.hasSuffix(message), "\(run.errors)")
  }

  @Test(
    "and has no /proc is told as well",
    .enabled(if: SmallDisk.isAvailable, "no disk of our own can be mounted here"))
  func noProc() throws {
    let folder = try ShellFolder(["a.json": Self.passing])
    defer { folder.remove() }
    let run = try folder.bash(
      "mount -t tmpfs none /proc && exec $RUN a.json --junit a.xml", onDisk: "size=4k")
    #expect(run.exitCode == 2)
    #expect(
      run.errors
        == "scenario-run: The arguments can't be read, because /proc isn't there. Mount it. ")
  }
}
