import Foundation
import ScenarioCore

/// Finds `.scenario-run.json`, from the first PATH upwards.
package struct ConfigurationFinder {
  private let files: any FileAccess

  package init(files: any FileAccess) {
    self.files = files
  }

  /// - Returns: an absolute path; `nil` where no folder above has the file.
  package func find(from path: String, workingDirectory: String) -> String? {
    let absolute = path.hasPrefix("/") ? path : workingDirectory + "/" + path
    let isFolder = files.kind(of: absolute) == .folder
    var folder = (absolute as NSString).standardizingPath
    if !isFolder { folder = (folder as NSString).deletingLastPathComponent }
    while true {
      let candidate = (folder as NSString).appendingPathComponent(Configuration.fileName)
      if files.kind(of: candidate) == .file { return candidate }
      let parent = (folder as NSString).deletingLastPathComponent
      guard parent != folder, !parent.isEmpty else { return nil }
      folder = parent
    }
  }
}
