import ScenarioCore
import ScenarioRunner

/// Finds where the paths that a test names start.
struct PackageFolder {
  let files: LocalFiles

  /// The nearest folder above a source file that has a `Package.swift`; that of the file where none
  /// has.
  func path(above sourceFile: String) -> String {
    let own = FilePath.folder(of: FilePath.normalized(sourceFile))
    var folder = own
    while files.kind(of: FilePath.join(folder, "Package.swift")) != .file {
      let parent = FilePath.folder(of: folder)
      guard parent != folder, !parent.isEmpty else { return own }
      folder = parent
    }
    return folder
  }
}
