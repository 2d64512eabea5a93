import Testing

@testable import ScenarioReporting

@Suite("What becomes a file is written in the folder of that file")
struct ReportFolderTests {
  @Test(
    "also where the path is a bare name, and only the working folder can be written",
    arguments: [
      ("a.json.pending", "."), ("out/a.xml", "out"), ("/a.xml", "/"),
      ("/tmp/out/a.xml", "/tmp/out"),
    ])
  func folder(file: String, folder: String) {
    #expect(ReportFile.folder(of: file) == folder)
  }
}
