import Foundation
import PackagePlugin

/// `swift package scenario-run …`: builds the package and the command, and runs the command.
///
/// The command isn't a dependency of the plug-in, because Swift Package Manager would then build all of it
/// a second time in every build.
@main
struct ScenarioRunPlugin: CommandPlugin {
  func performCommand(context: PluginContext, arguments: [String]) async throws {
    guard try build(.all(includingTests: false)) != nil, let artifacts = try build(.product(name))
    else { return }
    let command = artifacts.first { $0.kind == .executable && $0.url.lastPathComponent == name }
    guard let command else {
      return Diagnostics.error("The product \(name) was built, but it isn't among the results.")
    }
    let process = try Process.run(command.url, arguments: arguments)
    process.waitUntilExit()
    if process.terminationStatus != 0 { exit(process.terminationStatus) }
  }

  private let name = "scenario-run"

  /// - Returns: `nil`, after an error, where it can't be built.
  private func build(
    _ subset: PackageManager.BuildSubset
  ) throws -> [PackageManager.BuildResult.BuiltArtifact]? {
    let result = try packageManager.build(subset, parameters: .init(logging: .concise))
    if result.succeeded { return result.builtArtifacts }
    print(result.logText)
    Diagnostics.error("The package can't be built.")
    return nil
  }
}
