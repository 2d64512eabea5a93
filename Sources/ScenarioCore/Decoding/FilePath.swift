/// Paths as text: nothing here looks at the disk.
package enum FilePath {
  /// The path of a file that is named relative to a folder.
  package static func join(_ folder: String, _ name: String) -> String {
    if name.hasPrefix("/") { return normalized(name) }
    return normalized(folder.isEmpty ? name : folder + "/" + name)
  }

  /// The folder that a path stands in; empty for a bare name.
  package static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "" }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  package static func lastComponent(_ path: String) -> String {
    path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
  }

  /// The path without `.` and, where that is possible, without `..`.
  package static func normalized(_ path: String) -> String {
    var parts: [Substring] = []
    for part in path.split(separator: "/") where part != "." {
      if part == "..", let last = parts.last, last != ".." {
        parts.removeLast()
      } else if part != ".." || !path.hasPrefix("/") {
        parts.append(part)
      }
    }
    let joined = parts.joined(separator: "/")
    if path.hasPrefix("/") { return "/" + joined }
    return joined.isEmpty ? "." : joined
  }
}
