import TestSupport
import Testing

@Suite("A decoder that never matches", .waitsForPrograms)
struct UnusedDecoderTests {
  private static let scenario =
    #"{"app": "./app.sh", "actions": [{"tap": "a"}], "expected": [] MORE}"#
  private static let own =
    #", "decoders": {"ours": {"request": {"urlPath": "/e"}, "name": "$.n"}}"#

  @Test(
    "is warned about: a scenario's own with it, the project's once no scenario of the run has met it",
    arguments: [
      ("$RUN S/a.json", 0, true, false), ("$RUN S/b.json", 0, false, false),
      ("$RUN S", 0, true, true), ("$RUN S --strict", 1, true, true),
      ("$RUN S/b.json S/c.json --strict", 0, false, false), ("$RUN T --strict", 1, false, true),
      ("$RUN S --filter b", 0, false, false),
    ])
  func unused(command: String, code: Int32, ofScenario: Bool, ofProject: Bool) throws {
    let folder = try ShellFolder([
      ".scenario-run.json": #"{"decoders": {"segment": true}}"#,
      "S/a.json": Self.scenario.replacing("MORE", with: Self.own),
      "S/b.json": Self.scenario.replacing("MORE", with: ""),
      "S/c.json": Self.scenario.replacing("MORE", with: ""),
      "T/b.json": Self.scenario.replacing("MORE", with: ""),
      "T/c.json": Self.scenario.replacing("MORE", with: ""),
    ])
    defer { folder.remove() }
    let run = try folder.bash(command)
    #expect(run.exitCode == code, "\(run)")
    #expect(run.output.contains(#"The decoder "ours" met no request."#) == ofScenario, "\(run)")
    #expect(
      run.errors.contains(#"The decoder "segment" met no request in any scenario of this run."#)
        == ofProject, "\(run)")
  }
}
