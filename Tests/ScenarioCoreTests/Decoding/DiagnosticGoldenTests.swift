import Foundation
import ScenarioReporting
import SourceText
import Testing

@testable import ScenarioCore

/// Each folder of `Goldens` is a file system with a faulty `scenario.json`, or a faulty
/// configuration, and the exact output about it.
@Suite struct DiagnosticGoldenTests {
  static let cases =
    (try? FileManager.default.contentsOfDirectory(atPath: Golden.folder.path))?.sorted() ?? []

  @Test("Everything that is wrong is told, exactly so", arguments: cases)
  func golden(name: String) throws {
    let files = try filesInMemory(name)
    let output = try diagnostics(files)
    try Golden.check(DiagnosticRenderer().render(output), "\(name)/output.txt")
  }

  @Test("There are goldens")
  func goldensExist() { #expect(Self.cases.count > 10) }

  private func diagnostics(_ files: FilesInMemory) throws -> [Diagnostic] {
    if files.contents[".scenario-run.json"] != nil {
      let file = SourceFile(
        path: ".scenario-run.json", bytes: try files.bytes(ofFile: ".scenario-run.json"))
      let (configuration, diagnostics) = ConfigurationDecoder.decode(file)
      #expect(configuration == nil)
      return diagnostics
    }
    let file = SourceFile(path: "scenario.json", bytes: try files.bytes(ofFile: "scenario.json"))
    var decoder = ScenarioDecoder(files: files, fixturesDirectory: "Fixtures")
    // The hundred thousand that there may be take a second to lay out.
    decoder.actionLimit = 1_000
    let output = decoder.decode(file)
    #expect(output.scenarios.isEmpty == output.hasErrors)
    return output.diagnostics
  }

  private func filesInMemory(_ name: String) throws -> FilesInMemory {
    let folder = Golden.folder.appending(path: name)
    var files = FilesInMemory()
    for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    where path != "output.txt" {
      var isFolder: ObjCBool = false
      let whole = folder.appending(path: path)
      _ = FileManager.default.fileExists(atPath: whole.path, isDirectory: &isFolder)
      if !isFolder.boolValue {
        files.contents[path] = try String(contentsOf: whole, encoding: .utf8)
      }
    }
    // A link in a working copy would be followed by tools that copy it.
    if files.contents["Fixtures/link.json"] != nil { files.links["Fixtures/link.json"] = "/etc/x" }
    files.contents["/etc/x"] = "{}"
    return files
  }
}
