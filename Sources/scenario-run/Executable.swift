import Foundation

/// Where this program is.
enum Executable {
  /// The folder of the executable, links followed.
  static func folder(invokedAs name: String) -> String {
    let path = Bundle.main.executablePath ?? name
    let resolved = URL(filePath: path).resolvingSymlinksInPath()
    return resolved.deletingLastPathComponent().path(percentEncoded: false)
  }
}
