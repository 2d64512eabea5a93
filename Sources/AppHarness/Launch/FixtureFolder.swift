import Foundation

/// The folder of the files that a scenario names.
package struct FixtureFolder: Sendable {
  /// `nil` where the launch environment names none.
  let path: String?

  /// The file's bytes.
  ///
  /// - Throws: `FixtureError` where the name leads out of the folder, or the file can't be read.
  func contents(of name: String) throws(FixtureError) -> Data {
    let file = try location(of: name)
    do {
      return try Data(contentsOf: file, options: .mappedIfSafe)
    } catch {
      throw .unreadable(name: name, reason: error.localizedDescription)
    }
  }

  /// Maps the file into memory for as long as `body` takes, so that only what it reads costs anything.
  ///
  /// - Throws: `FixtureError` where the name leads out of the folder, or the file can't be read.
  func withContents(
    of name: String, _ body: (UnsafeBufferPointer<UInt8>) -> Void
  ) throws(FixtureError) {
    let path = try location(of: name).path(percentEncoded: false)
    func unreadable() -> FixtureError {
      .unreadable(name: name, reason: String(cString: strerror(errno)))
    }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw unreadable() }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw unreadable() }
    let size = Int(status.st_size)
    if size == 0 { return body(UnsafeBufferPointer(start: nil, count: 0)) }
    guard let start = mmap(nil, size, PROT_READ, MAP_PRIVATE, descriptor, 0), start != MAP_FAILED
    else { throw unreadable() }
    defer { munmap(start, size) }
    body(UnsafeRawBufferPointer(start: start, count: size).bindMemory(to: UInt8.self))
  }

  /// Looks whether the name leads to a file that can be read, without reading it.
  func check(_ name: String) throws(FixtureError) {
    let file = try location(of: name)
    guard FileManager.default.isReadableFile(atPath: file.path(percentEncoded: false)) else {
      throw .unreadable(name: name, reason: "the file doesn't exist.")
    }
  }

  private func location(of name: String) throws(FixtureError) -> URL {
    guard let path else { throw .noFolder(name: name) }
    let root = URL(filePath: path, directoryHint: .isDirectory).resolvingSymlinksInPath()
    let file = root.appending(path: name).resolvingSymlinksInPath().standardizedFileURL
    guard !name.hasPrefix("/"), file.path().hasPrefix(root.standardizedFileURL.path()) else {
      throw .leadsOut(name: name)
    }
    return file
  }
}

/// Why a fixture could not be read.
package enum FixtureError: Error, Equatable, CustomStringConvertible {
  case noFolder(name: String)
  case leadsOut(name: String)
  case unreadable(name: String, reason: String)

  package var description: String {
    switch self {
    case .noFolder(let name):
      "The fixture \"\(name)\" can't be read: the launch environment names no fixtures folder."
    case .leadsOut(let name):
      "The fixture \"\(name)\" leads out of the fixtures folder. Name a file inside it."
    case .unreadable(let name, let reason):
      "The fixture \"\(name)\" can't be read: \(reason)"
    }
  }
}
