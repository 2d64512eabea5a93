import Foundation
import TestSupport
import Testing

@Suite("On a terminal", .waitsForPrograms)
struct LiveLineTests {
  /// Gives a program a terminal, and writes to stdout what comes to it.
  private static let script = "/usr/bin/script"

  @Test(
    "the live line keeps the time, and makes room for a message",
    .enabled(
      if: FaultMachine.isLinux && FileManager.default.isExecutableFile(atPath: script),
      "the script of util-linux is not here"))
  func live() throws {
    let folder = try FileFolder([
      "a.json": #"{"app": ["faulty-app", "hang"], "actions": [{"tap": "b"}], "expected": []}"#
    ])
    defer { folder.remove() }
    let command = "echo $$ > pid; exec '\(BuiltProgram.path(of: "scenario-run"))' a.json"
    let terminal = try RunningProgram(
      Self.script, ["-qec", command, "/dev/null"], folder: folder.path,
      environment: ["PATH": "/usr/bin:/bin", "NO_COLOR": "1", "SHELL": "/bin/sh"])
    // The app says nothing for so long.
    #expect(terminal.waitForOutput(/\r\x1B\[K0\/1  [1-9][0-9]*\./))
    let pid = try folder.text("pid").trimmingCharacters(in: .newlines)
    kill(try #require(Int32(pid)), SIGINT)
    #expect(terminal.waitForExit() == 130)
    #expect(terminal.output.contains("\r\u{1B}[Kscenario-run: Interrupted: ending the apps."))
    #expect(terminal.output.contains("\r\u{1B}[K\r\nERRORED  a"))
  }
}
