import Foundation

/// Where this program is.
enum Executable {
  /// The folder of the executable, links followed.
  static func folder(invokedAs name: String) -> String {
    let path = resolved("/proc/self/exe") ?? resolved(Bundle.main.executablePath ?? name) ?? name
    return (path as NSString).deletingLastPathComponent
  }

  /// Foundation reads the whole folder of the program to answer the same: asked only where the system
  /// does not say.
  private static func resolved(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }
}
