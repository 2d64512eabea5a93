import Foundation
import TestSupport
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

  @Test("goes with everything in it, also what is nested deeper than a path may be long")
  func nested() throws {
    let folder = try TemporaryFolder()
    let runFolder = try RunFolder(in: folder.path)
    // Together their paths are longer than the system takes.
    let name = String(repeating: "d", count: 200)
    let deep = Array(repeating: name, count: 12).joined(separator: "/")
    try sh("touch a; mkdir -p \(deep) b/\(deep) && mv b \(deep)", in: runFolder.path)
    runFolder.remove()
    #expect(folder.contents == [])
  }

  @Test("of a dead run goes at the next one; no link in it or in its place leads elsewhere")
  func links() throws {
    let folder = try TemporaryFolder()
    let stale = "scenario-run.stale1"
    try sh(
      """
      mkdir -p foreign/scenario-run.in; touch foreign/lock foreign/file
      mkdir -m 700 \(stale) \(stale)/1-shared; touch \(stale)/lock; ln -s ../foreign \(stale)/link
      ln -s ../../foreign \(stale)/1-shared/link; ln -s foreign scenario-run.linked
      """, in: folder.path)
    let runFolder = try RunFolder(in: folder.path)
    runFolder.remove()
    #expect(
      folder.contents == [
        "foreign", "foreign/file", "foreign/lock", "foreign/scenario-run.in", "scenario-run.linked",
      ])
  }

  @Test("stays where it is another user's, or another user could have put something into it")
  func foreign() throws {
    let folder = try TemporaryFolder()
    try sh("mkdir -m 777 scenario-run.open; touch scenario-run.open/lock", in: folder.path)
    var kept = ["scenario-run.open", "scenario-run.open/lock"]
    if geteuid() == 0 {
      try sh(
        "mkdir -m 700 scenario-run.own; touch scenario-run.own/lock; chown -R nobody scenario-run.own",
        in: folder.path)
      kept += ["scenario-run.own", "scenario-run.own/lock"]
    }
    let runFolder = try RunFolder(in: folder.path)
    var status = stat()
    #expect(stat(runFolder.path, &status) == 0 && status.st_mode & 0o777 == 0o700)
    runFolder.remove()
    #expect(folder.contents == kept)
  }

  @Test("and the shared folder of a scenario go, whatever the app denied to itself")
  func denied() throws {
    let folder = try TemporaryFolder()
    let runFolder = try RunFolder(in: folder.path)
    let folders = try ScenarioFolders(in: runFolder, name: "1", worker: 1)
    try sh("touch a && chmod 0 .", in: folders.shared)
    folders.remove()
    #expect(access(folders.shared, F_OK) != 0)
    runFolder.remove()
    #expect(folder.contents == [])
  }
}
