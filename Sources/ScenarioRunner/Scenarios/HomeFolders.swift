import Foundation

/// The home and the folder for temporary files that a worker gives to one scenario after another:
/// empty each time, as if they were new.
package struct HomeFolders: Sendable {
  let home: String
  let temporary: String
  private let folder: RunFolder

  /// - Parameter worker: unique in the run.
  package init(in folder: RunFolder, worker: Int) {
    self.folder = folder
    home = "\(folder.path)/worker\(worker)-home"
    temporary = "\(folder.path)/worker\(worker)-tmp"
  }

  /// Makes both, where they are not just as they were made.
  func prepare() throws(SystemError) {
    for path in [home, temporary] where mkdir(path, Self.mode) != 0 && !Self.isAsMade(path) {
      folder.discard(path)
      guard mkdir(path, Self.mode) == 0 else { throw SystemError("create the folder \(path)") }
    }
  }

  private static let mode: mode_t = 0o700

  private static func isAsMade(_ path: String) -> Bool {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode == S_IFDIR | mode else { return false }
    return FolderContents.names(in: path)?.isEmpty ?? false
  }
}
