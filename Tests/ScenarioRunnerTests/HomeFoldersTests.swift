import Foundation
import TestSupport
import Testing

@testable import ScenarioRunner

@Suite("The home of an app")
struct HomeFoldersTests {
  @Test(
    "is empty and as it was made, whatever the app before made of it",
    arguments: [
      "true", "touch a .b", "mkdir -p c/d/e && touch c/d/f", "chmod 500 .", "ln -s / link",
      "cd .. && rmdir worker1-home", "cd .. && rmdir worker1-home && ln -s / worker1-home",
      "cd .. && rmdir worker1-home && touch worker1-home", "mkdir g && touch g/h && chmod 0 g",
      "mkdir -p g/h/i && touch g/h/i/j && chmod -R 555 g", "mkdir -p g/h && chmod 444 g",
      // Not every file system takes such names.
      #"n=$(printf 'n\377'); mkdir "$n" || exit 0; touch "$n/$n" && ln -s /etc "$n/$n.l""#,
      "for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do mkdir d && cd d; done",
    ])
  func prepared(script: String) throws {
    let folder = try TemporaryFolder()
    let runFolder = try RunFolder(in: folder.path)
    let home = try ScenarioFolders(in: runFolder, name: "1", worker: 1).home
    let app = Process()
    app.executableURL = URL(filePath: "/bin/sh")
    app.arguments = ["-c", "cd '\(home)' && \(script)"]
    try app.run()
    app.waitUntilExit()
    #expect(app.terminationStatus == 0)
    #expect(try ScenarioFolders(in: runFolder, name: "2", worker: 1).home == home)
    #expect(FolderContents.names(in: home) == [])
    let mode = try FileManager.default.attributesOfItem(atPath: home)[.posixPermissions]
    #expect(mode as? Int == 0o700)
    runFolder.remove()
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    #expect(access("/etc", F_OK) == 0)
  }
}
