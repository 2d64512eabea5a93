import Foundation

/// What is in a folder, links at its own place not followed.
///
/// Beside Foundation's functions, because each scenario makes, looks at and removes folders, and these
/// need a tenth of the system calls.
enum FolderContents {
  /// - Returns: the names, `.` and `..` left out; `nil` where it is no folder or can't be read.
  static func names(in path: String) -> [String]? {
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0, let stream = fdopendir(descriptor) else {
      if descriptor >= 0 { close(descriptor) }
      return nil
    }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }

  /// Removes a folder with everything in it, as far as the system lets it.
  static func remove(_ path: String) {
    if rmdir(path) == 0 { return }
    // Most hold a few files.
    for name in names(in: path) ?? [] { unlink(path + "/" + name) }
    if rmdir(path) != 0 { try? FileManager.default.removeItem(atPath: path) }
  }
}
