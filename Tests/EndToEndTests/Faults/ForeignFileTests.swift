import Foundation
import TestSupport
import Testing

@Suite(
  "A file that must not be read", .waitsForPrograms,
  .enabled(if: FaultMachine.isLinux, FaultMachine.reason))
struct ForeignFileTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    var files: [String: String] = [:]
    var script: String
    var code: Int32 = 3
    var errors: String

    var testDescription: String { name }
  }

  private static func scenario(_ members: String = "") -> String {
    #"{\#(members) "actions": [{"tap": "b"}], "expected": []}"#
  }

  private static let outside = "it leads out of the project \"FOLDER/P\". "
  private static let special = "it is a pipe, a device or a socket. "

  static let cases: [Case] = [
    Case(
      name: "steps with an absolute path",
      files: ["P/a.json": #"{"actions": [{"use": "/proc/self/environ"}], "expected": []}"#],
      script: "$RUN validate P",
      errors: "The steps file \"/proc/self/environ\" can't be read: \(outside)"),
    Case(
      name: "a table above the project", files: ["P/a.json": scenario(#""cases": "../t.csv","#)],
      script: "echo secret > t.csv; $RUN list P",
      errors: "The CSV file \"t.csv\" can't be read: \(outside)"),
    Case(
      name: "a table behind a link", files: ["P/a.json": scenario(#""cases": "l/passwd","#)],
      script: "ln -s /etc P/l; $RUN explain P/a.json",
      errors: "The CSV file \"P/l/passwd\" can't be read: \(outside)"),
    Case(
      name: "a scenario that is a link, however it is named",
      script: "ln -s /etc/passwd P/l.json; $RUN P; $RUN validate P/l.json",
      errors: "P/l.json: error: The file can't be read: \(outside)"),
    Case(
      name: "a folder that is a link", script: "ln -s /etc P/l; $RUN validate P",
      errors: "P/l: error: The file can't be read: \(outside)"),
    Case(
      name: "a name that ends for the system at a NUL",
      files: ["P/a.json": scenario(#""cases": "t.csv\u0000x","#), "P/t.csv": "x\ny\n"],
      script: "$RUN validate P", errors: "The CSV file \"P/t.csv\\u{0}x\" does not exist."),
    Case(
      name: "a fixtures folder elsewhere",
      files: ["P/.scenario-run.json": #"{"fixturesDirectory": "/proc/self"}"#],
      script: "$RUN validate P", code: 2,
      errors: "\"fixturesDirectory\": \"/proc/self\" leads out of the project in "
        + "FOLDER/P/.scenario-run.json. Name a folder inside it, or name another one with --fixtures."
    ),
    Case(
      name: "a draft that is a link", files: ["P/a.json": scenario()],
      script: "ln -s /etc/passwd P/a.json.pending; $RUN review P", code: 3,
      errors: "scenario-run: P/a.json: it leads out of the project"),
    Case(
      name: "a table that is a pipe", files: ["P/a.json": scenario(#""cases": "t.csv","#)],
      script: "mkfifo P/t.csv; $RUN validate P",
      errors: "The CSV file \"P/t.csv\" can't be read: \(special)"),
    Case(
      name: "a scenario that is a pipe", script: "mkfifo P/x.json; $RUN validate P",
      errors: "P/x.json: error: The file can't be read: \(special)"),
    Case(
      name: "a stub file that is a pipe", files: ["P/a.json": scenario(#""stubs": "s.json","#)],
      script: "mkdir P/Fixtures; mkfifo P/Fixtures/s.json; $RUN validate P",
      errors: "The fixture \"s.json\" can't be read: \(special)"),
    Case(
      name: "a report that has no end", script: "$RUN merge /dev/zero --junit a.xml", code: 2,
      errors: "scenario-run: /dev/zero can't be read: \(special)"),
    Case(
      name: "a table of 3 GB", files: ["P/a.json": scenario(#""cases": "t.csv","#)],
      script: "truncate -s 3G P/t.csv; $RUN validate P",
      errors:
        "The CSV file \"P/t.csv\" can't be read: it is larger than 16 MiB, which is the limit."),
    Case(
      name: "a scenario in capitals with a fault", files: ["P/FOO.JSON": "{"],
      script: "$RUN validate P", errors: "P/FOO.JSON:1:"),
  ]

  @Test(
    "is told, in every command, and nothing of it is shown", .timeLimit(.minutes(10)),
    arguments: cases)
  func foreign(_ example: Case) throws {
    var files = ["P/.scenario-run.json": "{}"]
    files.merge(example.files) { $1 }
    let folder = try ShellFolder(files)
    defer { folder.remove() }
    let run = try folder.bash("ulimit -v 2000000; " + example.script)
    #expect(run.exitCode == example.code, "\(run.output)\(run.errors)")
    #expect(run.errors.contains(example.errors), "\(run.errors)")
    let all = run.output + run.errors
    #expect(!all.contains("root:") && !all.contains("PATH=") && !all.contains("secret"), "\(all)")
  }

  @Test("What a person names may lie anywhere, with what it names beside it")
  func named() throws {
    let folder = try ShellFolder([
      "elsewhere/a.json": Self.scenario(#""cases": "t.csv", "fixtures": {"A": "f.json"},"#)
        .replacing(#""b""#, with: #""${id}""#),
      "elsewhere/t.csv": "id\nb\n", "fixtures/f.json": "{}", "P/.scenario-run.json": "{}",
      "P/b.json": Self.scenario(), "elsewhere/.scenario-run.json": "{}",
    ])
    defer { folder.remove() }
    let run = try folder.bash(
      "cd P && $RUN validate . $PWD/../elsewhere/a.json --fixtures ../fixtures && cd ../elsewhere "
        + "&& $RUN validate a.json --fixtures ../fixtures")
    #expect(run.output == "2 scenarios valid 1 scenario valid ", "\(run.errors)")
  }

  @Test(
    "What belongs to another user isn't read, and a configuration of theirs is ignored",
    .enabled(if: geteuid() == 0, "only root can give files away"))
  func owners() throws {
    let folder = try ShellFolder([
      "P/.scenario-run.json": #"{"app": "evil"}"#, "P/mine/a.json": Self.scenario(),
      "P/mine/b.json": Self.scenario(),
    ])
    defer { folder.remove() }
    let run = try folder.bash(
      "cd P; chown nobody .scenario-run.json mine/b.json; cd mine; $RUN list a.json; "
        + "$RUN validate b.json")
    #expect(run.exitCode == 3)
    #expect(
      run.errors == "scenario-run: FOLDER/P/.scenario-run.json is ignored, because it belongs to "
        + "another user. scenario-run: FOLDER/P/.scenario-run.json is ignored, because it belongs to "
        + "another user. b.json: error: The file can't be read: it belongs to another user, with the "
        + "ID 65534. Only your own files and those of root are read. ")
  }

  @Test("Beside a table that is named, only the scenarios that name it are read")
  func neighbours() throws {
    let folder = try ShellFolder([
      "P/.scenario-run.json": "{}", "P/foreign.json": "{", "P/S/other.json": "[",
      "P/S/t.csv": "id\nb\n", "faulty.json": #"{"cases": "S/t.csv""#,
      "P/S/a.json": Self.scenario(#""cases": "t.csv","#).replacing(#""b""#, with: #""${id}""#),
    ])
    defer { folder.remove() }
    let run = try folder.bash("mkfifo P/x.json P/S/x.json; $RUN list P/S/t.csv")
    #expect(run.output == "P/S/t.csv:2  a [1] ", "\(run.output)")
    #expect(run.errors == "")
  }
}
