import Foundation
import Testing

@testable import ScenarioRunner

@Suite("The folder of a run")
struct RunFolderTests {
  private func sh(_ script: String, in folder: String) throws {
    let shell = Process()
    shell.executableURL = URL(filePath: "/bin/sh")
    shell.arguments = ["-c", "cd '\(folder)' && \(script)"]
    try shell.run()
    shell.waitUntilExit()
    try #require(shell.terminationStatus == 0)
  }

  @Test("keeps its lock while something can't be removed, so that a later run tries it again")
  func retried() throws {
    let folder = try TemporaryFolder()
    let runFolder = try RunFolder(in: folder.path)
    // Together their paths are longer than the system takes.
    let name = String(repeating: "d", count: 200)
    let deep = Array(repeating: name, count: 12).joined(separator: "/")
    try sh("touch a; mkdir -p \(deep) b/\(deep) && mv b \(deep)", in: runFolder.path)
    runFolder.remove()
    let left = try FileManager.default.contentsOfDirectory(atPath: runFolder.path)
    #expect(left.sorted() == [name, "lock"])
    try sh("mv \(deep)/b .", in: runFolder.path)
    try RunFolder(in: folder.path).remove()
    #expect(folder.contents == [])
  }

  @Test("and the shared folder of a scenario go, whatever the app denied to itself")
  func denied() throws {
    let folder = try TemporaryFolder()
    let runFolder = try RunFolder(in: folder.path)
    let folders = try ScenarioFolders(
      creatingIn: runFolder.path, name: "1", homes: HomeFolders(in: runFolder, worker: 1))
    try sh("touch a && chmod 0 .", in: folders.shared)
    folders.remove()
    #expect(access(folders.shared, F_OK) != 0)
    runFolder.remove()
    #expect(folder.contents == [])
  }
}
