import SourceText

/// Breaks prose at spaces.
package enum WordWrap {
  /// Lines of at most `width` characters; a word that is longer stays whole.
  package static func lines(_ text: String, width: Int) -> [String] {
    var lines: [String] = []
    for word in text.split(separator: " ", omittingEmptySubsequences: true) {
      if let last = lines.last, last.count + 1 + word.count <= width {
        lines[lines.count - 1] += " " + word
      } else {
        lines.append(String(word))
      }
    }
    // A line may begin with what stood in the middle.
    return lines.map(CommandMarkers.defused)
  }
}
