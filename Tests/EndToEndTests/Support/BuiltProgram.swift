import Foundation

/// A program of this package, as the tests' build made it.
struct BuiltProgram {
  /// What it wrote and how it ended.
  struct Outcome {
    var output: String
    var errors: String
    var exitCode: Int32
  }

  private let program: URL

  init(_ name: String) {
    program = Self.productsFolder.appending(path: name)
  }

  /// A program of the machine.
  init(path: String) {
    program = URL(filePath: path)
  }

  /// Whether the kit sees all work of an app on this system, and gives it its time.
  static var reachesWholeApp: Bool {
    #if os(Linux)
      true
    #else
      false
    #endif
  }

  static func path(of name: String) -> String {
    productsFolder.appending(path: name).path(percentEncoded: false)
  }

  /// The package's own folder: paths in arguments are relative to it.
  static let packageFolder = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// Runs it to its end; its output goes to files, so that no pipe can fill.
  func run(_ arguments: String..., environment: [String: String] = [:]) throws -> Outcome {
    try run(arguments, environment: environment)
  }

  func run(_ arguments: [String], environment: [String: String] = [:]) throws -> Outcome {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "scenario-run-tests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let (output, errors) = (folder.appending(path: "out"), folder.appending(path: "err"))
    let process = Process()
    process.executableURL = program
    process.arguments = arguments
    process.currentDirectoryURL = Self.packageFolder
    process.environment = ["PATH": "/usr/bin:/bin", "NO_COLOR": "1"]
      .merging(environment) { _, own in own }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = try Self.newFile(output)
    process.standardError = try Self.newFile(errors)
    try process.run()
    process.waitUntilExit()
    return Outcome(
      output: try String(contentsOf: output, encoding: .utf8),
      errors: try String(contentsOf: errors, encoding: .utf8), exitCode: process.terminationStatus)
  }

  private static func newFile(_ url: URL) throws -> FileHandle {
    try Data().write(to: url)
    return try FileHandle(forWritingTo: url)
  }

  /// Beside the tests' own bundle.
  private static var productsFolder: URL {
    let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }
    return bundle?.bundleURL.deletingLastPathComponent() ?? Bundle.main.bundleURL
  }
}
