import Foundation

/// The home and the folder for temporary files that a worker gives to one scenario after another:
/// empty each time, as if they were new.
package struct HomeFolders: Sendable {
  let home: String
  let temporary: String

  /// - Parameter worker: unique in the run.
  package init(in runFolder: String, worker: Int) {
    home = "\(runFolder)/worker\(worker)-home"
    temporary = "\(runFolder)/worker\(worker)-tmp"
  }

  /// Makes both, where they are not just as they were made.
  func prepare() throws(SystemError) {
    for folder in [home, temporary] where mkdir(folder, Self.mode) != 0 && !Self.isAsMade(folder) {
      FolderContents.remove(folder)
      guard mkdir(folder, Self.mode) == 0 else { throw SystemError("create the folder \(folder)") }
    }
  }

  private static let mode: mode_t = 0o700

  private static func isAsMade(_ folder: String) -> Bool {
    var status = stat()
    guard lstat(folder, &status) == 0, status.st_mode == S_IFDIR | mode else { return false }
    return FolderContents.names(in: folder)?.isEmpty ?? false
  }
}
