import SourceText

/// Puts diagnostics into the order in which people read them.
enum DiagnosticOrder {
  private struct Key: Hashable {
    var path: String
    var range: Range<Int>?
    var message: String
  }

  /// Without what is said twice, as it is for each case of a table; the main file's first.
  static func sorted(_ diagnostics: [Diagnostic], mainPath: String) -> [Diagnostic] {
    var seen: Set<Key> = []
    let unique = diagnostics.filter {
      seen.insert(Key(path: $0.path, range: $0.location?.range, message: $0.message)).inserted
    }
    return unique.enumerated().sorted { left, right in
      key(left.element, left.offset, mainPath) < key(right.element, right.offset, mainPath)
    }.map(\.element)
  }

  private static func key(
    _ diagnostic: Diagnostic, _ index: Int, _ mainPath: String
  ) -> (Int, String, Int, Int) {
    let offset = diagnostic.location?.range.lowerBound ?? -1
    return (diagnostic.path == mainPath ? 0 : 1, diagnostic.path, offset, index)
  }
}
