/// Text as a terminal shows it: how wide it is, and without anything that a terminal would obey.
enum DisplayText {
  /// A text in which control characters, escapes and direction marks are shown, not carried out, and
  /// which no CI server takes for a command.
  static func harmless(_ text: String) -> String {
    let text = CommandMarkers.defused(text)
    guard text.unicodeScalars.contains(where: isDangerous) else { return text }
    return text.unicodeScalars.map(harmless).joined()
  }

  /// A character as it may be shown.
  static func harmless(_ character: Character) -> String {
    character.unicodeScalars.map(harmless).joined()
  }

  private static func harmless(_ scalar: Unicode.Scalar) -> String {
    guard isDangerous(scalar) else { return String(Character(scalar)) }
    switch scalar.value {
    case 0..<0x20: return String(Unicode.Scalar(0x2400 + scalar.value).map(Character.init) ?? "?")
    case 0x7F: return "\u{2421}"
    default: return "<U+" + String(scalar.value, radix: 16, uppercase: true) + ">"
    }
  }

  /// Whether it is a control character, or a format character that changes the order of what is shown
  /// or hides in it (Unicode Technical Report 36, section 3).
  static func isDangerous(_ scalar: Unicode.Scalar) -> Bool {
    if (0x20..<0x7F).contains(scalar.value) { return false }
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned,
      .privateUse:
      // Joins of emoji and of scripts that need them.
      return scalar != "\u{200D}" && scalar != "\u{200C}"
    default: return false
    }
  }

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

/// The marks by which CI servers know a command in the output of a job.
///
/// GitHub: a line that begins with `::`, blanks aside, and `##[` anywhere in a line
/// (`ActionCommand.cs` of actions/runner); Azure Pipelines: `##vso[` anywhere, `##[` at the beginning
/// (Microsoft, "Logging commands"); TeamCity: `##teamcity[` ("Service messages"). GitLab's section marks
/// begin with an escape character, which is never written as it is.
enum CommandMarkers {
  /// The text with the first character of each mark as a visible escape: `\u{3A}:error::`.
  ///
  /// A text can come anywhere in a line: at its beginning `::` is a mark, and so is a `#` that may
  /// follow another one; at its end a `##` that a `[` may follow.
  static func defused(_ text: String) -> String {
    let opening = openingLength(of: text)
    guard
      text.utf8.contains(UInt8(ascii: "#")) || text.utf8.dropFirst(opening).starts(with: "::".utf8)
    else { return text }
    let places = places(in: Array(text.utf8), opening: opening)
    guard !places.isEmpty else { return text }
    var result: [UInt8] = []
    for (place, byte) in text.utf8.enumerated() {
      if places.contains(place) {
        result += Array((byte == UInt8(ascii: "#") ? #"\u{23}"# : #"\u{3A}"#).utf8)
      } else {
        result.append(byte)
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  private static func places(in bytes: [UInt8], opening: Int) -> Set<Int> {
    var places: Set<Int> = []
    if bytes[opening...].starts(with: "::".utf8) { places.insert(opening) }
    for place in bytes.indices where bytes[place] == UInt8(ascii: "#") {
      let rest = bytes[(place + 1)...].drop(while: isLetter)
      let isFirst = place == 0 && rest.first == UInt8(ascii: "[")
      if isFirst || completesMark(bytes, at: place, isWhole: false) { places.insert(place) }
    }
    return places
  }

  /// Whether a character is the second `#` of a mark.
  ///
  /// - Parameter isWhole: whether the bytes end with the line; otherwise something may follow.
  static func completesMark(_ bytes: [UInt8], at place: Int, isWhole: Bool = true) -> Bool {
    guard place > 0, place < bytes.count, bytes[place] == UInt8(ascii: "#"),
      bytes[place - 1] == UInt8(ascii: "#")
    else { return false }
    let rest = bytes[(place + 1)...].drop(while: isLetter)
    return rest.first == UInt8(ascii: "[") || rest.isEmpty && !isWhole
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (0x61...0x7A).contains(byte | 0x20)
  }

  /// The length of the blanks at the beginning, of any script.
  private static func openingLength(of text: String) -> Int {
    text.unicodeScalars.prefix { $0.properties.isWhitespace }.reduce(0) { $0 + $1.utf8.count }
  }
}
