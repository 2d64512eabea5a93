import Foundation
import ScenarioCore
import TestSupport
import Testing

@testable import ScenarioRunner

@Suite("What is kept of a scenario", .waitsForPrograms)
struct KeptFolderTests {
  @Test("shows a secret neither in a file nor in its name, and no file replaces another")
  func names() throws {
    let folder = try TemporaryFolder()
    let folders = try ScenarioFolders(
      in: try RunFolder(in: folder.path), name: "one", worker: 0)
    let shared = folders.shared.dropFirst(folder.path.count + 1)
    for name in ["s3cret.txt", "t0ken.txt", "a-s3cret/s3cret", "plain", "masked.txt"] {
      try folder.write("s3cret of \(name.count)", to: "\(shared)/\(name)")
    }
    var redaction = Redaction()
    redaction.bytes = { bytes in
      let text = String(decoding: bytes, as: UTF8.self)
      return Array(text.replacing("s3cret", with: "***").replacing("t0ken", with: "***").utf8)
    }
    let kept = KeptFolder(parent: folder.path + "/kept", name: "one", redaction: redaction)
    let project = KeptProject(
      reference: ScenarioReference(path: "none.json", scenarioName: "None"),
      settings: try Suite().settings(), redaction: redaction)
    let place = try kept.keep(folders, output: AppOutput(), of: project)
    let names = try FileManager.default.subpathsOfDirectory(atPath: place + "/shared").sorted()
    #expect(
      names == [
        "a-masked", "a-masked/masked", "masked-2.txt", "masked-3.txt", "masked.txt", "plain",
      ])
    let text = try String(contentsOfFile: place + "/shared/a-masked/masked", encoding: .utf8)
    #expect(text == "*** of 15")
  }
}
