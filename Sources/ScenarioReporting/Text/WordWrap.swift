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

  /// Names, each with what it means beside it, or under it where the name is long; 80 characters a line.
  package static func table(
    _ rows: [(name: String, text: String)], indentation: Int = 28
  ) -> [String] {
    let blanks = String(repeating: " ", count: indentation)
    return rows.flatMap { name, text in
      let lines = lines(text, width: 80 - indentation)
      guard name.count + 4 <= indentation else { return ["  " + name] + lines.map { blanks + $0 } }
      let first = "  " + name + blanks.dropFirst(name.count + 2) + (lines.first ?? "")
      return [first] + lines.dropFirst().map { blanks + $0 }
    }
  }
}

/// Shows URLs so that they stay readable in a narrow terminal.
enum URLText {
  /// A URL that may be shown, in lines of at most `width` characters where that is possible: broken before
  /// each query parameter, and inside a part only where it is longer than a line.
  static func lines(_ text: String, width: Int) -> [String] {
    guard text.count > width else { return [text] }
    var lines: [String] = []
    for part in parts(of: text) {
      if lines.isEmpty {
        lines += chunks(part, width)
      } else if lines[lines.count - 1].count + part.count <= width, lines.count > 1 {
        lines[lines.count - 1] += part
      } else {
        lines += chunks("  " + part, width)
      }
    }
    // A line may begin with what stood in the middle.
    return lines.map(CommandMarkers.defused)
  }

  /// The URL up to its query, then each parameter with the `?` or `&` before it.
  private static func parts(of text: String) -> [String] {
    var parts: [String] = [""]
    for character in text {
      if character == "?" || character == "&" { parts.append("") }
      parts[parts.count - 1].append(character)
    }
    return parts.filter { !$0.isEmpty }
  }

  private static func chunks(_ text: String, _ width: Int) -> [String] {
    var rest = Substring(text)
    var chunks: [String] = []
    var indentation = ""
    while true {
      let chunk = rest.prefix(max(1, width - indentation.count))
      rest = rest[chunk.endIndex...]
      chunks.append(indentation + chunk)
      indentation = "    "
      if rest.isEmpty { return chunks }
    }
  }
}

/// Paints text for a terminal, or leaves it plain.
package struct TextStyle: Sendable {
  package enum Paint: String, Sendable {
    case red = "31"
    case green = "32"
    case yellow = "33"
    case bold = "1"
    case dim = "2"
  }

  package var isColored: Bool

  package init(isColored: Bool) {
    self.isColored = isColored
  }

  package func paint(_ text: String, _ paint: Paint) -> String {
    isColored && !text.isEmpty ? "\u{1B}[\(paint.rawValue)m\(text)\u{1B}[0m" : text
  }
}
