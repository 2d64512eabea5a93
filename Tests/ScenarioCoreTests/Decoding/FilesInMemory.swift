import ScenarioCore

/// A file system for tests: paths with their content.
struct FilesInMemory: FileAccess {
  var contents: [String: String] = [:]
  /// Links by path, with what they lead to.
  var links: [String: String] = [:]

  struct Unreadable: Error, CustomStringConvertible {
    var description: String { "permission denied" }
  }

  func bytes(ofFile path: String, limitBytes: Int) throws -> [UInt8] {
    if let fault = fault(ofFile: path, limitBytes: limitBytes) { throw fault }
    guard let text = contents[resolved(path) ?? path], text != "unreadable" else {
      throw Unreadable()
    }
    return Array(text.utf8)
  }

  func kind(of path: String) -> FileKind? {
    let path = resolved(path) ?? path
    if contents[path] != nil { return .file }
    return contents.keys.contains { $0.hasPrefix(path + "/") } ? .folder : nil
  }

  func resolved(_ path: String) -> String? { links[path] ?? path }

  func names(inFolder path: String) -> [String] {
    let prefix = path == "." ? "" : path + "/"
    let names = contents.keys.filter { $0.hasPrefix(prefix) }.map {
      String($0.dropFirst(prefix.count).prefix { $0 != "/" })
    }
    return Array(Set(names))
  }
}
