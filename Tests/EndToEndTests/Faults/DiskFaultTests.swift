import TestSupport
import Testing

@Suite(
  "A disk that is full or can't be written", .waitsForPrograms,
  .enabled(if: FaultMachine.isLinux, FaultMachine.reason)
)
struct DiskFaultTests {
  private static let passing = #"{"app": "./app.sh", "actions": [{"tap": "b"}], "expected": []}"#
  private static let failing =
    #"{"app": ["faulty-app", "sendRequest"], "actions": [{"tap": "b"}], "expected": []}"#

  /// A client that doesn't notice that nothing can be recorded: it fills the disk, sends, makes room.
  private static let filled = CommandApp.scenario([
    "head -c 2m /dev/zero > $TMPDIR/fill", "send", "rm $TMPDIR/fill",
  ])
  private static let crowded = CommandApp.scenario([
    "i=0; while true > $TMPDIR/$i; do i=$((i+1)); done", "send",
  ])

  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    /// Of the disk.
    var options = "size=4k"
    var script: String
    var code: Int32
    var output: [String] = []
    var errors = ""

    var testDescription: String { name }
  }

  private static let fill = "head -c 8192 /dev/zero > disk/fill 2>/dev/null; "

  static let cases: [Case] = [
    Case(
      name: "the kit can't record a request",
      script: fill + "TMPDIR=$DISK $RUN $PACKAGE/Scenarios/item-shown.json", code: 1,
      output: [
        "A request could not be recorded: The store \"FOLDER/disk/RUN/1-shared/storedRequests.",
        "can't be written: No space left on device.", "1 errored in TIME",
      ]),
    Case(
      name: "a client that only appends does not notice",
      script: fill + #"""
        echo '{"app": ["faulty-app", "appendBareLine"], "actions": [{"tap": "b"}], "expected": []}' \
          > a.json; TMPDIR=$DISK $RUN a.json
        """#, code: 1,
      output: [
        "The disk of the shared folder FOLDER/disk/RUN/1-shared is full, so recorded requests may be "
          + "missing. Make room there, or set TMPDIR to a folder of another disk.",
        "1 errored in TIME",
      ]),
    Case(
      name: "it has room again at the end", options: "size=1m",
      script: "TMPDIR=$DISK $RUN filled.json", code: 1,
      output: [
        "The disk of the shared folder FOLDER/disk/RUN/1-shared is full, so recorded requests may be "
          + "missing.", "in action 1, perform run", "1 errored in TIME",
      ]),
    Case(
      name: "no file can be made any more", options: "size=1m,nr_inodes=50",
      script: "TMPDIR=$DISK $RUN crowded.json", code: 1,
      output: [
        "The disk of the shared folder FOLDER/disk/RUN/1-shared is full, so recorded requests may be "
          + "missing.", "1 errored in TIME",
      ]),
    Case(
      name: "no folder can be made", options: "size=40k,nr_inodes=3",
      script: "TMPDIR=$DISK $RUN passing.json", code: 1,
      output: [
        "The scenario's folders could not be made: create the folder FOLDER/disk/RUN/",
        ": No space left on device. Make room there, or set TMPDIR to another folder.",
        "1 errored in TIME",
      ]),
    Case(
      name: "the run's folder can't be made", options: "ro",
      script: "TMPDIR=$DISK $RUN passing.json", code: 2,
      errors: "scenario-run: The run can't start: create a folder in FOLDER/disk: Read-only file "
        + "system. Set TMPDIR to a folder that can be written. "),
    Case(
      name: "a report does not fit, another one is written",
      script: fill
        + "$RUN passing.json --junit disk/a.xml --ctrf b.json; status=$?; grep -c passed "
        + "b.json; exit $status", code: 1, output: ["1 passed in TIME"],
      errors:
        "scenario-run: the JUnit report: FOLDER/disk/a.xml can't be written: No space left on "
        + "device. Make room there, or name another file. "),
    Case(
      name: "the event stream does not fit",
      script: fill + "$RUN passing.json --events disk/a.jsonl", code: 1,
      output: ["1 passed in TIME"],
      errors:
        "scenario-run: the event stream: FOLDER/disk/a.jsonl can't be written: No space left on "
        + "device. Make room there, or name another file. "),
    Case(
      name: "a report's folder can't be written", options: "ro",
      script: "$RUN passing.json --junit disk/new/a.xml", code: 1, output: ["1 passed in TIME"],
      errors:
        "scenario-run: the JUnit report: FOLDER/disk/new/a.xml can't be written: Read-only file "
        + "system. Name a file in a folder that can be written. "),
    Case(
      name: "what should be kept does not fit", script: fill + "$RUN failing.json --keep disk/kept",
      code: 1,
      output: [
        "not kept: write FOLDER/disk/kept/1/shared/storedRequests.jsonl: No space left on device. Name "
          + "another folder with --keep.", "1 failed in TIME",
      ]),
    Case(
      name: "nothing can be kept", options: "ro", script: "$RUN failing.json --keep disk/kept",
      code: 1,
      output: [
        "not kept: create the folder FOLDER/disk/kept: Read-only file system. Name another folder with "
          + "--keep.", "1 failed in TIME",
      ]),
    Case(
      name: "what did not pass can't be remembered", options: "ro",
      script: "$RUN failing.json --state disk/state", code: 1, output: ["1 failed in TIME"],
      errors: "scenario-run: What did not pass is not remembered for --last-failed: "
        + "FOLDER/disk/state"),
  ]

  @Test(
    "is told with its place, its cause and what to do, and nothing passes for it",
    .enabled(if: SmallDisk.isAvailable, "no disk of our own can be mounted here"), arguments: cases)
  func disk(_ example: Case) throws {
    let folder = try ShellFolder([
      "passing.json": Self.passing, "failing.json": Self.failing, "filled.json": Self.filled,
      "crowded.json": Self.crowded, CommandApp.name: CommandApp.text,
    ])
    defer { folder.remove() }
    let run = try folder.bash(example.script, onDisk: example.options)
    #expect(run.exitCode == example.code, "\(run.output)\(run.errors)")
    for text in example.output { #expect(run.output.contains(text), "\(run.output)") }
    #expect(run.errors.hasPrefix(example.errors), "\(run.errors)")
    #expect(example.errors.isEmpty == run.errors.isEmpty, "\(run.errors)")
  }

  @Test(
    "of an output fails the run",
    arguments: [
      (
        "$RUN passing.json > /dev/full",
        "scenario-run: the console output: it can't be written: No space left on device "
      ),
      (
        "$RUN passing.json --junit /dev/full >/dev/null",
        "scenario-run: the JUnit report: /dev/full can't be written: No space left on device. Make "
          + "room there, or name another file. "
      ),
      (
        "ulimit -f 0; $RUN passing.json --junit a.xml | cat; exit ${PIPESTATUS[0]}",
        "scenario-run: the JUnit report: FOLDER/a.xml can't be written: File too large. Make room "
          + "there, or name another file. "
      ),
    ])
  func output(script: String, errors: String) throws {
    let folder = try ShellFolder(["passing.json": Self.passing])
    defer { folder.remove() }
    let run = try folder.bash(script)
    #expect(run.exitCode == 1)
    #expect(run.errors.contains(errors), "\(run.errors)")
  }

  @Test("an app that exceeds its limit on files is ended by it, and so named")
  func limitedApp() throws {
    let folder = try ShellFolder(["failing.json": Self.failing])
    defer { folder.remove() }
    let run = try folder.bash("ulimit -f 0; $RUN failing.json | cat; exit ${PIPESTATUS[0]}")
    #expect(run.exitCode == 1)
    #expect(
      run.output.contains("The app was ended by SIGXFSZ (file size limit) before it answered"))
  }
}
