import Foundation

/// A folder with these files, in which the command is run.
struct FileFolder {
  private let path: String

  init(_ files: [String: String]) throws {
    path = FileManager.default.temporaryDirectory
      .appending(path: "scenario-run-tests-\(UUID().uuidString)").path(percentEncoded: false)
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    for (name, text) in files {
      try Data(text.utf8).write(to: URL(filePath: path + "/" + name))
    }
  }

  func remove() { try? FileManager.default.removeItem(atPath: path) }

  func text(_ name: String) throws -> String {
    try String(contentsOfFile: path + "/" + name, encoding: .utf8)
  }

  func run(_ arguments: [String]) throws -> BuiltProgram.Outcome {
    let program = try RunningProgram(
      BuiltProgram.path(of: "scenario-run"), arguments, folder: path,
      environment: ["PATH": "/usr/bin:/bin", "NO_COLOR": "1"])
    let code = program.waitForExit()
    return BuiltProgram.Outcome(output: program.output, errors: program.errors, exitCode: code)
  }
}
