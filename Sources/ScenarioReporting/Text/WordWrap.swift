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

/// How wide text is in a terminal.
enum DisplayText {
  /// How many columns a text takes.
  static func width(_ text: String) -> Int {
    text.reduce(0) { $0 + width($1) }
  }

  /// The beginning of a text that takes at most so many columns.
  static func prefix(_ text: String, columns: Int) -> Substring {
    var rest = columns
    return text.prefix { character in
      rest -= width(character)
      return rest >= 0
    }
  }

  /// How many columns a character takes: 0, 1 or 2.
  static func width(_ character: Character) -> Int {
    guard let first = character.unicodeScalars.first else { return 0 }
    if character.utf8.count == 1, first.value >= 0x20, first.value < 0x7F { return 1 }
    if first.properties.isEmojiPresentation { return 2 }
    if character.unicodeScalars.contains("\u{FE0F}") { return 2 }
    switch first.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: return isWide(first) ? 2 : 1
    }
  }

  /// The blocks whose characters are wide or full-width (Unicode standard annex 11).
  private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF,
      0xA000...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
      0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x20000...0x3FFFD:
      true
    default: false
    }
  }
}

/// Paints text for a terminal, or leaves it plain.
package struct TextStyle: Sendable {
  package enum Paint: String, Sendable {
    case red = "31"
    case green = "32"
    case yellow = "33"
    case cyan = "36"
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
