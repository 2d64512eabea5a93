import Foundation
import ScenarioCore

/// Where the shared folder and the logs of a scenario go that did not pass.
struct KeptFolder {
  let parent: String
  let name: String

  /// - Returns: the folder; `nil` where it could not be written.
  func keep(_ folders: ScenarioFolders, output: AppOutput) -> String? {
    let path = parent + "/" + name
    let files = FileManager.default
    do {
      try? files.removeItem(atPath: path)
      try files.createDirectory(atPath: path, withIntermediateDirectories: true)
      try files.copyItem(atPath: folders.shared, toPath: path + "/shared")
      try write(output.standardOutput, to: path + "/stdout.log")
      try write(output.standardError, to: path + "/stderr.log")
      return path
    } catch {
      return nil
    }
  }

  private func write(_ text: CapturedText, to path: String) throws {
    var bytes = Data(text.head)
    if text.omittedBytes > 0 { bytes += Data("\n… \(text.omittedBytes) bytes left out …\n".utf8) }
    try (bytes + Data(text.tail)).write(to: URL(filePath: path))
  }
}
