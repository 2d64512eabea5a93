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
      (["scenario-run", "validate", "--fi"], ["--fixtures"]),
    ])
  func bash(words: [String], expected: [String]) throws {
    #expect(try completions(of: words, in: "/") == expected)
  }

  @Test(
    "bash completes names that have blanks",
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/bin/bash"), "bash is not here"))
  func names() throws {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "scenario-run-tests-\(UUID().uuidString)").path(percentEncoded: false)
    try FileManager.default.createDirectory(
      atPath: folder + "/my folder", withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try Data().write(to: URL(filePath: folder + "/my * [1].json"))
    let found = try completions(of: ["scenario-run", "validate", "my"], in: folder)
    #expect(found.sorted() == ["my * [1].json", "my folder"])
  }

  private func completions(of words: [String], in folder: String) throws -> [String] {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/bash")
    process.currentDirectoryURL = URL(filePath: folder)
    let array = words.map { "'\($0)'" }.joined(separator: " ")
    process.arguments = [
      "-c",
      CompletionScript(shell: .bash).text
        + "\nCOMP_WORDS=(\(array)); COMP_CWORD=\(words.count - 1); _scenario_run\n"
        + "printf '%s\\n' \"${COMPREPLY[@]}\"",
    ]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let bytes = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
  }
}
