import Foundation
import HarnessWire

/// Reads the store of one launch, after the app and everything it started are gone.
///
/// Holds one piece of one file at a time: a store of any size takes the same memory.
package struct StoreReader: Sendable {
  private let folder: String

  package init(folder: String) {
    self.folder = folder
  }

  /// Calls with each request, in an order that the same store always gives: file by file, files by
  /// the action and the time of their first request.
  ///
  /// - Throws: `StoreDamage`, after everything that can be read has been read; and what `body` throws,
  ///   at once.
  package func forEachRequest(_ body: (RecordedRequest) throws -> Void) throws {
    try forEachLine { try body($0.request) }
  }

  /// The same without decoding what nobody asks for.
  package func forEachLine(_ body: (RecordedRequestLine) throws -> Void) throws {
    var damage = StoreDamage()
    for file in try files(&damage) {
      try file.forEachLine(&damage, body)
    }
    if !damage.isEmpty { throw damage }
  }

  private func files(_ damage: inout StoreDamage) throws -> [StoreFile] {
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
      // Foundation's error has no number; this asks again for it alone.
      let code = access(folder, R_OK | X_OK) == 0 ? EIO : errno
      throw StoreDamage(.init(file: folder, reason: .unreadable(code: code)))
    }
    for name in names.sorted() where StoreLayout.isFailureMarker(name) {
      damage.add(.init(file: name, reason: .writerFailed))
    }
    let files = names.sorted().filter(StoreLayout.isStoreFile)
      .map { StoreFile(folder: folder, name: $0) }
    // A single file, as nearly always, need not be looked into for its place.
    return files.count < 2 ? files : files.map { ($0, $0.start) }.sorted { $0.1 < $1.1 }.map(\.0)
  }
}
