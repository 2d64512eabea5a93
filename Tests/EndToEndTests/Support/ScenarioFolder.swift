import Foundation
import TestSupport

/// A folder with one scenario, and with a temporary folder of its own for the runs.
struct ScenarioFolder {
  let path: String
  private var temporary: String { path + "/tmp" }

  /// - Parameter app: the app as a scenario names it, in JSON.
  init(app: String) throws {
    path = FileManager.default.temporaryDirectory
      .appending(path: "scenario-run-tests-\(UUID().uuidString)").path(percentEncoded: false)
    try FileManager.default.createDirectory(
      atPath: path + "/tmp", withIntermediateDirectories: true)
    let scenario = #"{"app": \#(app), "actions": [{"tap": "button"}], "expected": []}"#
    for (name, text) in FileFolder.marker.merging(
      ["scenario.json": scenario], uniquingKeysWith: { $1 })
    {
      try TestFile.write(text.utf8, to: path + "/" + name)
    }
  }

  func remove() { try? FileManager.default.removeItem(atPath: path) }

  func start(
    _ arguments: String..., environment: [String: String] = [:]
  ) throws -> RunningProgram {
    try start(arguments, environment: environment)
  }

  func start(
    _ arguments: [String], environment: [String: String] = [:]
  ) throws -> RunningProgram {
    try RunningProgram(
      BuiltProgram.path(of: "scenario-run"), ["scenario.json"] + arguments, folder: path,
      environment: ["PATH": "/usr/bin:/bin", "NO_COLOR": "1", "TMPDIR": temporary]
        .merging(environment) { $1 })
  }

  /// What runs left in their temporary folder.
  var leftovers: [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: temporary)) ?? []
  }

  /// The processes that a run started, by the folder in their environment.
  var processes: [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return names.filter { Int($0) != nil }.filter { pid in
      let environment = FileManager.default.contents(atPath: "/proc/\(pid)/environ") ?? Data()
      return String(decoding: environment, as: UTF8.self).contains(temporary + "/scenario-run.")
    }
  }
}
