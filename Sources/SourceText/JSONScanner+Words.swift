extension JSONScanner {
  /// Reads what begins with a letter: `true`, `false`, `null`, or a mistake.
  mutating func word() -> JSONNode {
    var range = wordRange()
    at = range.upperBound
    var word = text(range)
    switch word {
    case "true": return JSONNode(.bool(true), at: location(range))
    case "false": return JSONNode(.bool(false), at: location(range))
    case "null": return JSONNode(.null, at: location(range))
    default: break
    }
    if let meant = Self.otherLanguages[word] {
      report("\"\(word)\" is written as \(meant) in JSON.", range)
    } else if ["NaN", "Infinity"].contains(word) {
      report("\"\(word)\" isn't a JSON number.", range)
    } else {
      skipToDelimiter(from: &range)
      word = text(range)
      let close = Suggestions.closest(to: word, among: ["true", "false", "null"])
      report(
        "\"\(word)\" isn't a JSON value. A string is written in double quotes.", range,
        suggestions: close.isEmpty ? ["\"\(word)\""] : close)
    }
    return JSONNode(.invalid, at: location(range))
  }

  private mutating func skipToDelimiter(from range: inout Range<Int>) {
    while at < bytes.count, !isDelimiter(bytes[at]), bytes[at] != ascii("\"") { at += 1 }
    var end = at
    while end > range.upperBound, bytes[end - 1] == ascii(" ") { end -= 1 }
    range = range.lowerBound..<end
  }

  private static let otherLanguages = [
    "True": "true", "TRUE": "true", "YES": "true", "yes": "true", "False": "false",
    "FALSE": "false", "NO": "false", "no": "false", "None": "null", "nil": "null", "NULL": "null",
    "Null": "null", "undefined": "null",
  ]

  /// The letters, digits and signs of a name from here on.
  func wordRange() -> Range<Int> {
    var end = at
    while end < bytes.count {
      switch bytes[end] {
      case ascii("a")...ascii("z"), ascii("A")...ascii("Z"), ascii("0")...ascii("9"),
        ascii("_"), ascii("$"), ascii("-"), ascii("."), 0x80...:
        end += 1
      default: return at..<end
      }
    }
    return at..<end
  }

  /// Reads a string in single or typographic quotes, reporting them; `nil` where none begins.
  mutating func oddlyQuotedString() -> JSONNode? {
    let opening = text(characterRange(at))
    guard let closings = Self.oddQuotes[opening] else { return nil }
    let start = at
    var end = characterRange(at).upperBound
    let contentStart = end
    while end < bytes.count, bytes[end] != ascii("\n"),
      !closings.contains(text(characterRange(end)))
    {
      end = characterRange(end).upperBound
    }
    guard end < bytes.count, bytes[end] != ascii("\n") else { return nil }
    let content = text(contentStart..<end)
    at = characterRange(end).upperBound
    report(
      "A string is written in straight double quotes, found \(opening) as its quote.", start..<at)
    return JSONNode(.string(content), at: location(start..<at))
  }

  private static let oddQuotes: [String: Set<String>] = [
    "'": ["'"], "`": ["`"], "“": ["”", "“", "\""], "”": ["”", "\""], "„": ["“", "”", "\""],
    "‘": ["’", "‘"], "’": ["’"], "«": ["»"],
  ]

  /// Reads a number, keeping it as it is written.
  mutating func number() -> JSONNode {
    let start = at
    while at < bytes.count, isNumberPart(bytes[at]) { at += 1 }
    let range = start..<at
    let written = text(range)
    if let mistake = mistake(inNumber: range, written) {
      report("\"\(written)\" isn't a JSON number: \(mistake).", range)
      return JSONNode(.invalid, at: location(range))
    }
    let mayBeTooLarge = range.count > 15 || written.contains { $0 == "e" || $0 == "E" }
    if mayBeTooLarge, Double(written)?.isFinite != true {
      let shown = written.count > 24 ? written.prefix(20) + "…" : written[...]
      report("The number \"\(shown)\" is too large.", range)
      return JSONNode(.invalid, at: location(range))
    }
    return JSONNode(.number(written), at: location(range))
  }

  private func isNumberPart(_ byte: UInt8) -> Bool {
    switch byte {
    case ascii("0")...ascii("9"), ascii("+"), ascii("-"), ascii("."), ascii("_"),
      ascii("a")...ascii("z"), ascii("A")...ascii("Z"):
      true
    default: false
    }
  }

  /// What RFC 8259, section 6, has against a number.
  private func mistake(inNumber range: Range<Int>, _ written: String) -> String? {
    var rest = bytes[range]
    if rest.first == ascii("+") { return "it begins with \"+\"" }
    if rest.first == ascii("-") { rest.removeFirst() }
    if rest.first == ascii(".") { return "write a 0 before the point" }
    let whole = rest.prefix(while: isDigit)
    rest = rest.dropFirst(whole.count)
    if whole.isEmpty { return "it must begin with a digit" }
    if whole.count > 1, whole.first == ascii("0") { return "it begins with a 0" }
    if rest.first == ascii(".") {
      let digits = rest.dropFirst().prefix(while: isDigit)
      if digits.isEmpty { return "a digit must follow the point" }
      rest = rest.dropFirst(1 + digits.count)
    }
    if rest.first == ascii("e") || rest.first == ascii("E") {
      rest = rest.dropFirst()
      if rest.first == ascii("+") || rest.first == ascii("-") { rest = rest.dropFirst() }
      let digits = rest.prefix(while: isDigit)
      if digits.isEmpty { return "the exponent needs a digit" }
      rest = rest.dropFirst(digits.count)
    }
    return rest.isEmpty
      ? nil : "\"\(text(rest.startIndex..<range.upperBound))\" does not belong to it"
  }

  private func isDigit(_ byte: UInt8) -> Bool { ascii("0")...ascii("9") ~= byte }
}
