import Foundation
import JSON
import Testing

/// The compiler of this machine.
struct SwiftCompiler {
  /// `nil` where none is in `PATH`, or where the tests' build isn't laid out as it is on Linux.
  static let path: String? = {
    #if os(Linux)
      let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
      return folders.map { "\($0)/swiftc" }.first { access($0, X_OK) == 0 }
    #else
      return nil
    #endif
  }()

  let path: String

  /// Checks files against the modules of the tests' build, as an app or a test outside of the package
  /// would be built.
  ///
  /// - Returns: what the compiler says.
  func check(_ sources: [String]) async throws -> String {
    let folder = try FileFolder(
      Dictionary(
        uniqueKeysWithValues: sources.enumerated().map { ("\($0.offset).swift", $0.element) }))
    defer { folder.remove() }
    let files = sources.indices.map { "\(folder.path)/\($0).swift" }
    let surroundings = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "Surroundings.swift").path(percentEncoded: false)
    let resources = try await resourceFolder()
    let checked = try BuiltProgram(path: path).run(
      [
        "-typecheck", "-parse-as-library", "-swift-version", "6", "-suppress-warnings",
        "-plugin-path", resources + "/host/plugins",
      ] + Self.modules() + [surroundings] + files)
    return checked.output + checked.errors
  }

  /// Where the modules of the tests' build are.
  private static func modules() throws -> [String] {
    let maps = try FileManager.default.contentsOfDirectory(atPath: BuiltProgram.path(of: ""))
      .map { BuiltProgram.path(of: "\($0)/module.modulemap") }
      .filter(FileManager.default.fileExists(atPath:))
    return [
      "-module-cache-path", BuiltProgram.path(of: "ModuleCache"), "-I",
      BuiltProgram.path(of: "Modules"),
    ] + maps.flatMap { ["-Xcc", "-fmodule-map-file=\($0)"] }
  }

  /// A script for the shell that builds the example app with a changed file, as an incremental build does:
  /// that file is compiled and linked with what the tests' build made of the others.
  ///
  /// - Parameters:
  ///   - file: in the package, and in the folder in which the script is run.
  ///   - program: what is written, in that folder.
  func script(buildingExampleWith file: String, as program: String) throws -> String {
    let folder = BuiltProgram.packageFolder.appending(path: "Sources/DemoApp")
      .path(percentEncoded: false)
    let others = try FileManager.default.subpathsOfDirectory(atPath: folder)
      .map { folder + "/" + $0 }.filter { $0.hasSuffix(".swift") && !$0.hasSuffix("/" + file) }
    let name = URL(filePath: file).lastPathComponent
    let compilation =
      [
        "-frontend", "-c", "-primary-file", file, "-o", "changed.o", "-module-name", "DemoApp",
        "-package-name", "example", "-swift-version", "6", "-parse-as-library", "-enable-testing",
      ] + others + (try Self.modules())
    return """
      set -e
      PATH=$(dirname '\(path)'):$PATH
      swiftc \(compilation.map { "'\($0)'" }.joined(separator: " "))
      sed 's|.*/\(name).o$|changed.o|' '\(BuiltProgram.path(of: "demo-app.product/Objects.LinkFileList"))' > objects
      grep -Fqx changed.o objects
      swiftc -emit-executable -o \(program) -Xlinker --defsym -Xlinker main=demo_app_main @objects
      """
  }

  private func resourceFolder() async throws -> String {
    let told = try BuiltProgram(path: path).run(["-print-target-info"])
    let info = try JSONValue(parsing: told.output)
    return try #require(info["paths"]?["runtimeResourcePath"]?.string)
  }
}
