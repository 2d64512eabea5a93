import Foundation

/// A program of this package, as the tests' build made it.
struct BuiltProgram {
  /// What it wrote and how it ended.
  struct Outcome {
    var output: String
    var errors: String
    var exitCode: Int32

    /// Of a program, once it has ended.
    init(_ program: RunningProgram) {
      exitCode = program.waitForExit()
      (output, errors) = (program.output, program.errors)
    }
  }

  private let program: String

  init(_ name: String) {
    program = Self.path(of: name)
  }

  /// A program of the machine.
  init(path: String) {
    program = path
  }

  /// Whether the kit sees all work of an app on this system, and gives it its time.
  static var reachesWholeApp: Bool {
    #if os(Linux)
      true
    #else
      false
    #endif
  }

  static func path(of name: String) -> String { productsFolder + "/" + name }

  /// The package's own folder: paths in arguments are relative to it.
  static let packageFolder = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// Runs it to its end.
  func run(_ arguments: String..., environment: [String: String] = [:]) throws -> Outcome {
    try run(arguments, environment: environment)
  }

  func run(_ arguments: [String], environment: [String: String] = [:]) throws -> Outcome {
    Outcome(
      try RunningProgram(
        program, arguments, folder: Self.packageFolder.path(percentEncoded: false),
        environment: ["PATH": "/usr/bin:/bin", "NO_COLOR": "1"].merging(environment) { $1 }))
  }

  /// Beside the tests' own bundle.
  private static let productsFolder: String = {
    let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }
    let folder = bundle?.bundleURL.deletingLastPathComponent() ?? Bundle.main.bundleURL
    return folder.path
  }()
}
