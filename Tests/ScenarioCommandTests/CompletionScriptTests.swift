import Foundation
import Testing

@testable import ScenarioCommand

@Suite("Completions")
struct CompletionScriptTests {
  @Test(
    "bash completes options, subcommands and their options",
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/bin/bash"), "bash is not here"),
    arguments: [
      (["scenario-run", "--ju"], ["--junit", "--junit-file-attribute"]),
      (["scenario-run", "valid"], ["validate"]),
      (["scenario-run", "validate", "--fi"], ["--fixtures", "--fix"]),
    ])
  func bash(words: [String], expected: [String]) throws {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/bash")
    let array = words.map { "'\($0)'" }.joined(separator: " ")
    process.arguments = [
      "-c",
      CompletionScript(shell: .bash).text
        + "\ncd /; COMP_WORDS=(\(array)); COMP_CWORD=\(words.count - 1); _scenario_run\n"
        + "printf '%s\\n' \"${COMPREPLY[@]}\"",
    ]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let bytes = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    #expect(
      String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init) == expected)
  }
}
