import Foundation

/// The folders of one scenario: its store, its home, its temporary files; all empty at first.
struct ScenarioFolders: Sendable {
  let root: String

  var shared: String { root + "/shared" }
  var home: String { root + "/home" }
  var temporary: String { root + "/tmp" }

  init(creatingIn runFolder: String, name: String) throws(SystemError) {
    root = runFolder + "/" + name
    for folder in [root, shared, home, temporary] {
      guard mkdir(folder, 0o700) == 0 else { throw SystemError("create the folder \(folder)") }
    }
  }

  func remove() {
    try? FileManager.default.removeItem(atPath: root)
  }
}
