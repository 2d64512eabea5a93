import Foundation

/// The folders of one scenario: its store, its home, its temporary files; all empty at first.
struct ScenarioFolders: Sendable {
  let shared: String
  let home: String
  let temporary: String

  /// - Parameters:
  ///   - name: unique in the run.
  ///   - homes: nobody else's while the scenario runs.
  init(creatingIn runFolder: String, name: String, homes: HomeFolders) throws(SystemError) {
    shared = "\(runFolder)/\(name)-shared"
    home = homes.home
    temporary = homes.temporary
    guard mkdir(shared, 0o700) == 0 else { throw SystemError("create the folder \(shared)") }
    try homes.prepare()
  }

  /// The home stays until its worker needs it again.
  func remove() { FolderContents.remove(shared) }
}
