import Foundation
import ScenarioCore

/// The folders in which the files of a project lie.
///
/// What a person names on the command line may lie anywhere. What files name may not: a pull request
/// must not make a run print another file.
package struct FileScope: Sendable {
  /// Links followed; the project's first.
  private let folders: [String]

  /// - Parameters:
  ///   - project: the project's folder.
  ///   - named: files and folders that a person named. One that lies elsewhere brings its folder with it.
  package init(project: String, named: [String] = []) {
    var folders = [FilePath.target(of: project)]
    for path in named where !FilePath.isInside(path, folder: project) {
      let folder = LocalFiles().kind(of: path) == .folder ? path : FilePath.folder(of: path)
      let resolved = FilePath.target(of: folder.isEmpty ? "." : folder)
      if !folders.contains(where: { FilePath.isInside(resolved, folder: $0) }) {
        folders.append(resolved)
      }
    }
    self.folders = folders
  }

  /// The project's folder.
  var project: String { folders[0] }

  func contains(_ path: String) -> Bool { folder(of: FilePath.target(of: path)) != nil }

  /// Opens what a path leads to, one name after another, so that no link is followed that somebody puts
  /// there meanwhile.
  ///
  /// - Returns: the descriptor, which the caller closes.
  func open(_ path: String, flags: Int32) throws(FileFault) -> Int32 {
    let target = FilePath.target(of: path)
    guard let folder = folder(of: target) else { throw .outside(project: project) }
    var names = target.dropFirst(folder.count).split(separator: "/").map(String.init)
    guard let last = names.popLast() else { throw .folder }
    var descriptor = Foundation.open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    for name in names where descriptor >= 0 {
      let parent = descriptor
      descriptor = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
      close(parent)
    }
    guard descriptor >= 0 else { throw FileFault(errno) }
    defer { close(descriptor) }
    let file = openat(descriptor, last, flags | O_NOFOLLOW)
    guard file >= 0 else { throw FileFault(errno) }
    return file
  }

  private func folder(of target: String) -> String? {
    folders.first { FilePath.isInside(target, folder: $0) }
  }
}

/// A project whose files are links to those of the real one, as a sandbox such as Bazel's makes them.
package struct LinkedProject: Sendable {
  /// Where the links are.
  private let folder: String
  /// Where the link of the configuration leads to.
  private let real: String

  /// - Returns: `nil` where there is no real one.
  init?(folder: String, real: String?) {
    guard let real else { return nil }
    (self.folder, self.real) = (folder, real)
  }

  /// The folder that one of the links' stands for; `nil` for one outside of the project.
  func realFolder(of path: String) -> String? {
    FilePath.isInside(path, folder: folder)
      ? FilePath.join(real, "." + path.dropFirst(folder.count)) : nil
  }
}

/// Whose files are read.
enum FileOwners {
  /// This user and root. Root itself also acts for whoever owns the folder that it stands in: a container
  /// runs as root in a checkout that it was given.
  private static let trusted: Set<uid_t> = {
    let user = geteuid()
    var status = stat()
    return user == 0 && stat(".", &status) == 0 ? [0, status.st_uid] : [0, user]
  }()

  static func isTrusted(_ owner: uid_t) -> Bool { trusted.contains(owner) }
}

extension FileFault {
  init(_ code: Int32) {
    self =
      switch code {
      // The last: a link that leads nowhere, which isn't followed.
      case ENOENT, ENOTDIR, ELOOP: .missing
      case EISDIR: .folder
      // What opening a socket, or a pipe that nobody reads, comes to.
      case ENXIO: .special
      default: .unreadable(code)
      }
  }
}

extension FilePath {
  /// Where a path leads once links are followed, also where nothing is there yet; absolute.
  static func target(of path: String) -> String {
    if let target = LocalFiles().resolved(path) { return target }
    let folder = folder(of: path)
    let parent = folder.isEmpty ? "." : folder
    guard parent != path else { return path }
    return join(target(of: parent), lastComponent(path))
  }

  /// A folder and those above it, the nearest first.
  static func folders(from folder: String) -> some Sequence<String> {
    sequence(first: folder) { folder in
      let parent = Self.folder(of: folder)
      return parent == folder || parent.isEmpty ? nil : parent
    }
  }

  /// Whether a path is a folder's own, or leads to something in it; links are not followed.
  static func isInside(_ path: String, folder: String) -> Bool {
    !folder.isEmpty
      && (path == folder || path.hasPrefix(folder.hasSuffix("/") ? folder : folder + "/"))
  }
}
