import Foundation
import TestSupport
import Testing

@Suite("The exit code says how it went", .waitsForPrograms)
struct ExitCodeTests {
  private static let passing = SampleScenario.passing
  private static let failing = SampleScenario.failing
  private static let invalid = SampleScenario.invalid

  struct Case: Sendable, CustomTestStringConvertible {
    var files: [String: String]
    var arguments: [String]
    var code: Int32
    var output = ""
    var errors = ""

    var testDescription: String { "\(code) for \(arguments.joined(separator: " "))" }
  }

  static let cases: [Case] = [
    Case(files: ["a.json": passing], arguments: ["a.json"], code: 0, output: "1 passed"),
    Case(files: ["a.json": failing], arguments: ["a.json"], code: 1, output: "1 failed"),
    Case(
      files: ["a.json": passing, "b.json": invalid], arguments: ["a.json", "b.json"], code: 3,
      output: "1 passed, 1 errored", errors: #"b.json:1:15: error: "tpa" isn't a verb."#),
    Case(
      files: ["a.json": failing, "b.json": invalid], arguments: ["."], code: 3,
      output: "1 failed, 1 errored"),
    Case(
      files: ["a.json": passing], arguments: ["a.json", "--tag", "none"], code: 4,
      errors: "scenario-run: The only scenario was not selected."),
    Case(
      files: [:], arguments: ["."], code: 4, errors: "scenario-run: There are no scenarios there."),
    Case(
      files: ["a.json": passing, "b.json": invalid], arguments: [".", "--tag", "none"], code: 3,
      errors: "scenario-run: None of 2 scenarios was selected."),
    Case(
      files: ["a.json": passing],
      arguments: ["a.json", "--tag", "none", "--junit", "/proc/none/report.xml"], code: 1,
      errors: "scenario-run: the JUnit report: /proc/none/report.xml"),
    Case(files: ["a.json": passing], arguments: ["a.json", "--shard", "2/2"], code: 0),
    Case(
      files: [:], arguments: ["missing.json"], code: 2,
      errors: #"scenario-run: There is no file or folder "missing.json"."#),
    Case(
      files: ["a.json": passing], arguments: ["valdate", "a.json"], code: 2,
      errors:
        "scenario-run: There is no file or folder \"valdate\". Did you mean \"scenario-run validate\"?"
    ),
    Case(files: [:], arguments: [], code: 2, errors: "scenario-run: Name what to run"),
    Case(
      files: ["a.json": passing], arguments: ["a.json:77"], code: 2,
      errors: "scenario-run: There is no line 77 in \"a.json\", which has "),
    Case(
      files: ["a.json": passing], arguments: ["play", "a.json:77"], code: 2,
      errors: "\"a.json\" has one scenario, and none on that line. Name it as a.json."),
    Case(
      files: ["a.json": passing], arguments: ["a.json", "--job", "2"], code: 2,
      errors: "scenario-run: Unknown option --job. Did you mean \"--jobs\"?"),
    Case(
      files: ["a.json": passing, ".scenario-run.json": #"{"job": 2}"#], arguments: ["a.json"],
      code: 2,
      errors: "The configuration is invalid, so nothing ran."),
    Case(
      files: ["a.json": passing], arguments: ["a.json", "--junit", "/proc/none/report.xml"],
      code: 1,
      output: "1 passed", errors: "scenario-run: the JUnit report: /proc/none/report.xml"),
    Case(files: ["a.json": invalid], arguments: ["validate", "a.json"], code: 3),
    Case(
      files: ["a.json": passing], arguments: ["validate", "a.json"], code: 0,
      output: "1 scenario valid"),
    Case(
      files: ["a.json": failing], arguments: ["list", "a.json"], code: 0, output: "a.json  a\n"),
  ]

  @Test("and a fixture with a fault is named from the working folder, as scenarios are")
  func fixtures() throws {
    let folder = try FileFolder([
      ".scenario-run.json": "{}", "Fixtures/a.json": "{", "Fixtures/b.json": "{",
      "Fixtures/c.json": "",
      "s/a.json": #"{"fixtures": {"A": "a.json"}, "actions": [{"tap": "a"}], "expected": []}"#,
      "s/b.json": #"{"stubs": "b.json", "actions": [{"tap": "a"}], "expected": []}"#,
    ])
    defer { folder.remove() }
    func named(_ path: String) throws -> Set<Substring> {
      let lines = try folder.run(["validate", path]).errors.split(separator: "\n")
      return Set(lines.filter { $0.contains("Fixtures/") }.map { $0.prefix { $0 != ":" } })
    }
    #expect(try named("s/a.json") == ["Fixtures/a.json"])
    #expect(try named("s/b.json") == ["Fixtures/b.json"])
    #expect(unlink(folder.path + "/s/b.json") == 0)
    #expect(try named("s") == ["Fixtures/a.json", "Fixtures/b.json", "Fixtures/c.json"])
  }

  @Test("and what is wrong is on stderr", arguments: cases)
  func code(_ example: Case) throws {
    let folder = try FileFolder(example.files)
    defer { folder.remove() }
    let run = try folder.run(example.arguments)
    #expect(run.exitCode == example.code, "\(run.output)\(run.errors)")
    #expect(example.output.isEmpty || run.output.contains(example.output), "\(run.output)")
    #expect(example.errors.isEmpty || run.errors.contains(example.errors), "\(run.errors)")
    if example.errors.isEmpty, example.code < 2 { #expect(run.errors.isEmpty) }
  }

  @Test(
    "and output that is lost fails the command, unless nobody reads on",
    .enabled(if: FaultMachine.isLinux, FaultMachine.reason),
    arguments: [
      "list a.json", "list a.json --json", "validate a.json", "explain a.json",
      "schema", "completions bash", "--help", "--version",
    ])
  func lostOutput(arguments: String) throws {
    let folder = try FileFolder(["a.json": Self.passing])
    defer { folder.remove() }
    let full = try folder.shell("$RUN \(arguments) > /dev/full")
    #expect(full.exitCode == 1)
    #expect(full.errors.hasPrefix("scenario-run: the output: it can't be written: "))
    let closed = try folder.shell(
      "bash -c 'exec 3> >(true); wait $!; \"$RUN\" \(arguments) >&3'")
    #expect(closed.exitCode == 0)
    #expect(closed.errors.isEmpty)
  }
}
