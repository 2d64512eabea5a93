import Foundation
import TestSupport
import Testing

@Suite(
  "A file that can't be read, or is gone when it is needed", .waitsForPrograms,
  .enabled(if: FaultMachine.isLinux, FaultMachine.reason))
struct FileFaultTests {
  private static let passing = #"{"app": "./app.sh", "actions": [{"tap": "b"}], "expected": []}"#

  /// A scenario whose app first runs a command.
  private static func scenario(after command: String) -> String {
    #"{"app": ["sh", "-c", "\#(command); exec ./app.sh"], "actions": [], "expected": [{"url": "/none", "count": 0}]}"#
  }

  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    var files: [String: String] = ["S/passing.json": passing]
    var script: String
    var code: Int32
    var output: [String] = []
    var errors = ""

    var testDescription: String { name }
  }

  static let cases: [Case] = [
    // A file that can be opened and not be read, whoever tries.
    Case(
      name: "a read error", script: "$RUN merge /proc/self/mem --junit a.xml", code: 2,
      errors: "scenario-run: /proc/self/mem can't be read: Input/output error "),
    Case(
      name: "a link that leads nowhere", script: "ln -s nowhere S/bad.json; $RUN S", code: 3,
      output: ["1 passed, 1 errored"],
      errors:
        "S/bad.json: error: The file can't be read: No such file or directory. It was removed "
        + "meanwhile, or it is a link that leads nowhere. "),
    Case(
      name: "a configuration", script: "mkfifo S/.scenario-run.json; $RUN S", code: 2,
      errors: "scenario-run: The configuration FOLDER/S/.scenario-run.json can't be read: "
        + "it is a pipe, a device or a socket. Only a regular file can be read. "),
    Case(
      name: "a stub file that is removed meanwhile",
      files: [
        "S/1.json": scenario(after: "rm $SCENARIO_FIXTURES_DIRECTORY/stubs.json"),
        "S/2.json":
          #"{"app": "demo-app", "stubs": "stubs.json", "actions": [], "expected": [{"url": "/none", "count": 0}]}"#,
        "Fixtures/stubs.json": #"{"mappings": []}"#,
      ], script: "$RUN S --jobs 1", code: 1,
      output: [
        "1 passed, 1 errored", #"The app exited with code 1 before it answered "initialize"."#,
        #"harness: The fixture "stubs.json" can't be read: "#,
      ]),
    Case(
      name: "the shared folder",
      files: ["S/1.json": scenario(after: "rm -r $SIMULATOR_SHARED_RESOURCES_DIRECTORY")],
      script: "$RUN S", code: 1,
      output: [
        "The store of recorded requests is damaged, so nothing can be said about them: "
          + "FOLDER/tmp/RUN/1-shared: the shared folder was removed or renamed. The app must leave it "
          + "alone", "1 errored",
      ]),
    Case(
      name: "the working directory of an app",
      files: [
        "S/.scenario-run.json": #"{"app": "faulty-app"}"#,
        "S/1.json":
          #"{"app": ["sh", "-c", "rm -r $PWD; exec $0 none", "FAULTY"], "actions": [], "expected": [{"url": "/none", "count": 0}]}"#,
        "S/2.json":
          #"{"app": ["faulty-app", "none"], "actions": [], "expected": [{"url": "/none", "count": 0}]}"#,
      ], script: #"sed -i "s|FAULTY|$FAULTY|" S/1.json; $RUN S --jobs 1"#, code: 1,
      output: [
        "1 passed, 1 errored", "could not be started: its working directory FOLDER/S is not there.",
      ]),
    Case(
      name: "the temporary folder", script: "TMPDIR=$PWD/gone $RUN S", code: 2,
      errors: "scenario-run: The run can't start: create a folder in FOLDER/gone: No such file or "
        + "directory. Set TMPDIR to a folder that can be written. "),
  ]

  @Test("is told with its place and its cause, and the others run", arguments: cases)
  func file(_ example: Case) throws {
    let folder = try ShellFolder(example.files)
    defer { folder.remove() }
    let run = try folder.bash(example.script)
    #expect(run.exitCode == example.code, "\(run.output)\(run.errors)")
    for text in example.output { #expect(run.output.contains(text), "\(run.output)\(run.errors)") }
    #expect(run.errors.hasPrefix(example.errors), "\(run.errors)")
  }

  /// Whoever may read everything gives that up first.
  private static let unprivileged =
    geteuid() == 0 ? "setpriv --reuid=65534 --regid=65534 --clear-groups " : ""

  private static let canBeUnprivileged: Bool = {
    let folder = try? ShellFolder()
    defer { folder?.remove() }
    let script = "chmod 755 .; \(unprivileged)$RUN --version"
    return (try? folder?.bash(script).exitCode) == 0
  }()

  @Test(
    "is told where it is forbidden, a whole folder too",
    .enabled(if: canBeUnprivileged, "the program can't be run by somebody else here"))
  func forbidden() throws {
    let folder = try ShellFolder([
      "S/bad.json": Self.passing, "S/in/a.json": Self.passing, "S/passing.json": Self.passing,
    ])
    defer { folder.remove() }
    let run = try folder.bash(
      "chmod -R a+rX .; chmod 777 tmp; chmod 0 S/bad.json S/in; \(Self.unprivileged)$RUN S")
    #expect(run.exitCode == 3)
    #expect(run.output.contains("1 passed, 2 errored"), "\(run.output)")
    for name in ["bad.json", "in"] {
      let message =
        "S/\(name): error: The file can't be read: Permission denied. Allow it to be read, or leave it "
        + "out."
      #expect(run.errors.contains(message), "\(run.errors)")
    }
  }
}
