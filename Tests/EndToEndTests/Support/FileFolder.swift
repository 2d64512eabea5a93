import Foundation
import TestSupport

/// A folder with these files, in which the command is run.
///
/// It is a project of its own, by an empty configuration where none is given: whatever lies above the
/// temporary folder, a test doesn't depend on it.
struct FileFolder {
  let path: String

  init(_ files: [String: String]) throws {
    path = FileManager.default.temporaryDirectory
      .appending(path: "scenario-run-tests-\(UUID().uuidString)").path(percentEncoded: false)
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    for (name, text) in files.merging(Self.marker, uniquingKeysWith: { own, _ in own }) {
      try write(text, to: name)
    }
  }

  /// What makes a folder a project.
  static let marker = [".scenario-run.json": "{}"]

  /// The files with the example's fixtures, app and tracked hosts.
  static func ofExample(_ files: [String: String]) throws -> FileFolder {
    let folder = try FileFolder(files)
    try folder.copyFixtures()
    let app = BuiltProgram.path(of: "demo-app")
    try folder.write(
      #"{"app": ["\#(app)"], "tracking": ["ad.example.com", "track.example.com"]}"#,
      to: ".scenario-run.json")
    return folder
  }

  /// Puts the example's fixtures into it: a copy of its own, of which the files are those of one copy that all
  /// tests have, by other names.
  func copyFixtures() throws {
    try FileManager.default.linkItem(
      atPath: Self.fixtures.get().path + "/Fixtures", toPath: path + "/Fixtures")
  }

  private static let fixtures: Result<FileFolder, any Error> = Result {
    let folder = try FileFolder([:])
    let fixtures = BuiltProgram.packageFolder.appending(path: "Fixtures")
    try FileManager.default.copyItem(
      atPath: fixtures.path(percentEncoded: false), toPath: folder.path + "/Fixtures")
    atexit { try? FileFolder.fixtures.get().remove() }
    return folder
  }

  func write(_ text: String, to name: String) throws {
    let file = path + "/" + name
    let folder = (file as NSString).deletingLastPathComponent
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    // A file that has other names is left as it is there.
    var status = stat()
    if lstat(file, &status) == 0, status.st_nlink > 1 { unlink(file) }
    try TestFile.write(text.utf8, to: file)
  }

  /// Gives a file that is there further names.
  func name(_ name: String, _ further: some Sequence<String>) throws {
    for other in further {
      try FileManager.default.linkItem(atPath: path + "/" + name, toPath: path + "/" + other)
    }
  }

  func link(_ name: String, to target: String) throws {
    let folder = (path + "/" + name as NSString).deletingLastPathComponent
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: path + "/" + name, withDestinationPath: target)
  }

  func removeFile(_ name: String) { unlink(path + "/" + name) }

  func has(_ name: String) -> Bool { FileManager.default.fileExists(atPath: path + "/" + name) }

  func remove() { try? FileManager.default.removeItem(atPath: path) }

  func text(_ name: String) throws -> String {
    try String(contentsOfFile: path + "/" + name, encoding: .utf8)
  }

  /// - Parameter folder: where it is run, in this one.
  func run(
    _ arguments: [String], in folder: String = ".", environment: [String: String] = [:]
  ) throws -> BuiltProgram.Outcome {
    BuiltProgram.Outcome(try start(arguments, in: folder, environment: environment))
  }

  func start(
    _ arguments: [String], in folder: String = ".", environment: [String: String] = [:]
  ) throws -> RunningProgram {
    try start(BuiltProgram.path(of: "scenario-run"), arguments, in: folder, environment)
  }

  /// Runs a line of the shell, in which `$RUN` is the command.
  func shell(_ line: String) throws -> BuiltProgram.Outcome {
    let command = ["RUN": BuiltProgram.path(of: "scenario-run")]
    return BuiltProgram.Outcome(try start("/bin/sh", ["-c", line], in: ".", command))
  }

  private func start(
    _ program: String, _ arguments: [String], in folder: String, _ environment: [String: String]
  ) throws -> RunningProgram {
    try RunningProgram(
      program, arguments, folder: path + "/" + folder,
      environment: ["PATH": "/usr/bin:/bin", "NO_COLOR": "1"].merging(environment) { $1 })
  }
}
