import SourceText
import Synchronization

/// Source files as they are shown, so that a file with many findings is searched once.
final class MaskedFiles: Sendable {
  private struct Entry {
    /// Kept, so that its identity stays its own.
    var file: SourceFile
    var shown: MaskedFile
  }

  private static let limit = 256

  private let entries = Mutex<[ObjectIdentifier: Entry]>([:])

  func shown(_ file: SourceFile, by mask: (SourceFile) -> MaskedFile) -> MaskedFile {
    if let known = entries.withLock({ $0[ObjectIdentifier(file)] }) { return known.shown }
    let entry = Entry(file: file, shown: mask(file))
    entries.withLock { entries in
      if entries.count >= Self.limit { entries = [:] }
      entries[ObjectIdentifier(file)] = entry
    }
    return entry.shown
  }
}

/// A source file as it is shown.
struct MaskedFile: Sendable {
  var file: SourceFile
  /// The values that are hidden in it, which messages about it may quote.
  var values = SecretMatcher([])
}
