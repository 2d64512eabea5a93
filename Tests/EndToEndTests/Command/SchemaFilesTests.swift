import Foundation
import TestSupport
import Testing

@Suite("The schemas beside the editor's settings", .waitsForPrograms)
struct SchemaFilesTests {
  @Test(
    "are what the command prints", arguments: ["scenario", "steps", "stubs", "configuration"])
  func current(kind: String) throws {
    let printed = try BuiltProgram("scenario-run").run("schema", kind)
    let kept = BuiltProgram.packageFolder.appending(path: ".vscode/\(kind).schema.json")
    #expect(printed.exitCode == 0)
    #expect(
      printed.output == (try String(contentsOf: kept, encoding: .utf8)),
      "write it anew: scenario-run schema \(kind) > .vscode/\(kind).schema.json")
  }
}
