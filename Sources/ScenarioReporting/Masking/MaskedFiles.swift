import SourceText
import Synchronization

/// Source files as they are shown, so that a file with many findings is searched once.
final class MaskedFiles: Sendable {
  private struct Entry {
    /// Kept, so that its identity stays its own.
    var file: SourceFile
    var masked: SourceFile
  }

  private static let limit = 256

  private let entries = Mutex<[ObjectIdentifier: Entry]>([:])

  func masked(_ file: SourceFile, by mask: (SourceFile) -> SourceFile) -> SourceFile {
    if let known = entries.withLock({ $0[ObjectIdentifier(file)] }) { return known.masked }
    let entry = Entry(file: file, masked: mask(file))
    entries.withLock { entries in
      if entries.count >= Self.limit { entries = [:] }
      entries[ObjectIdentifier(file)] = entry
    }
    return entry.masked
  }
}
