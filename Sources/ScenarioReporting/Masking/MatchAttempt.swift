/// Compares a text from one place on with what is wanted, escapes seen through.
struct MatchAttempt {
  private let wanted: [UInt8]
  private let skipsLineBreaks: Bool
  let text: UnsafeBufferPointer<UInt8>
  /// Whether the text goes on somewhere else: then its end may be the middle of a match.
  let isCutAfter: Bool
  /// How many escapes are tried: a secret of nothing but escape characters has very many.
  private var budget: Int

  init(
    pattern: SecretMatcher.Pattern, text: UnsafeBufferPointer<UInt8>, isCutAfter: Bool
  ) {
    wanted = pattern.bytes
    skipsLineBreaks = pattern.isBase64
    self.text = text
    self.isCutAfter = isCutAfter
    budget = 16 + wanted.count + wanted.count(where: Escapes.openers.contains) * 2
  }

  /// - Returns: where the match ends; `nil` where there is none.
  mutating func end(from start: Int) -> Int? { end(from: start, matched: 0) }

  private mutating func end(from start: Int, matched: Int) -> Int? {
    var (place, matched) = (start, matched)
    while matched < wanted.count {
      if isAtCut(place, matched) { return place }
      guard place < text.count else { return nil }
      if skipsLineBreaks, matched > 0, let next = endOfLineBreak(at: place) {
        place = next
        continue
      }
      let byte = text[place]
      let isSame = byte == wanted[matched]
      if Escapes.openers.contains(byte) {
        if isSame, let end = end(from: place + 1, matched: matched + 1) { return end }
        return endAfterEscape(at: place, matched)
      }
      guard isSame || (byte == UInt8(ascii: "+") && wanted[matched] == UInt8(ascii: " ")) else {
        return nil
      }
      place += 1
      matched += 1
    }
    return place
  }

  /// Where a line break ends, escaped or not, with the blanks that indent the next line.
  private func endOfLineBreak(at place: Int) -> Int? {
    let isLineBreak = { (byte: UInt8) in byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") }
    var end: Int?
    if isLineBreak(text[place]) {
      end = place + 1
    } else if Escapes.openers.contains(text[place]) {
      end =
        Escapes.readings(of: text, at: place)
        .first { $0.bytes.count == 1 && $0.bytes.allSatisfy(isLineBreak) }?.end
    }
    return end.map { end in
      text[end...].firstIndex { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") } ?? text.count
    }
  }

  private mutating func endAfterEscape(at place: Int, _ matched: Int) -> Int? {
    budget -= 1
    guard budget >= 0 else { return nil }
    for escape in Escapes.readings(of: text, at: place) {
      let rest = wanted[matched...]
      if rest.starts(with: escape.bytes),
        let end = end(from: escape.end, matched: matched + escape.bytes.count)
      {
        return end
      }
    }
    // An escape that the cut goes through.
    let isCut = isCutAfter && text.count - place < 6 && matched >= SecretForms.shortestPart
    return isCut ? text.count : nil
  }

  /// Whether the text is cut here, with enough of the secret before to give it away.
  private func isAtCut(_ place: Int, _ matched: Int) -> Bool {
    guard matched >= SecretForms.shortestPart else { return false }
    if place == text.count { return isCutAfter }
    // The mark of something that was cut before it came here.
    return text[place...].starts(with: "…".utf8)
  }
}
