import Foundation
import TestSupport
import Testing

@testable import ScenarioCommand

@Suite("Completions", .waitsForPrograms)
struct CompletionScriptTests {
  @Test(
    "bash completes options, subcommands and their options",
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/bin/bash"), "bash is not here"),
    arguments: [
      (["scenario-run", "--ju"], ["--junit", "--junit-file-attribute"]),
      (["scenario-run", "valid"], ["validate"]),
      (["scenario-run", "validate", "--fi"], ["--fixtures"]),
      (["scenario-run", "completions", ""], ["bash", "zsh", "fish"]),
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

  private static let fishProgram = "/usr/bin/fish"

  @Test(
    "fish completes the same, and offers no option that a subcommand refuses",
    .enabled(if: FileManager.default.isExecutableFile(atPath: fishProgram), "fish is not here"),
    arguments: [
      ("--ju", ["--junit", "--junit-file-attribute"]), ("valid", ["validate"]),
      ("validate --fi", ["--fixtures"]), ("merge --j", ["--junit"]), ("validate --ju", []),
      ("sweep ", ["faults", "orders", "restarts"]), ("sweep orders /de", ["/dev/"]),
    ])
  func fish(line: String, expected: [String]) throws {
    let script = FileManager.default.temporaryDirectory
      .appending(path: "scenario-run-tests-\(UUID().uuidString).fish")
    try Data(CompletionScript(shell: .fish).text.utf8).write(to: script)
    defer { try? FileManager.default.removeItem(at: script) }
    let command = "source \(script.path(percentEncoded: false)); complete -C 'scenario-run \(line)'"
    let found = try output(of: Self.fishProgram, ["--no-config", "-c", command], in: "/")
    #expect(found.map { String($0.prefix { $0 != "\t" }) } == expected)
  }

  private func completions(of words: [String], in folder: String) throws -> [String] {
    let array = words.map { "'\($0)'" }.joined(separator: " ")
    let command =
      CompletionScript(shell: .bash).text
      + "\nCOMP_WORDS=(\(array)); COMP_CWORD=\(words.count - 1); _scenario_run\n"
      + "printf '%s\\n' \"${COMPREPLY[@]}\""
    return try output(of: "/bin/bash", ["-c", command], in: folder)
  }

  private func output(
    of program: String, _ arguments: [String], in folder: String
  ) throws -> [String] {
    let process = Process()
    process.executableURL = URL(filePath: program)
    process.currentDirectoryURL = URL(filePath: folder)
    process.arguments = arguments
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let bytes = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
  }
}
