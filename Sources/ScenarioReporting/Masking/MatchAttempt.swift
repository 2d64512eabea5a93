/// Compares a text from one place on with what is wanted, escapes seen through.
struct MatchAttempt {
  let wanted: [UInt8]
  let text: UnsafeBufferPointer<UInt8>
  /// Whether the text goes on somewhere else: then its end may be the middle of a match.
  let isCutAfter: Bool
  /// How many escapes are tried: a secret of nothing but escape characters has very many.
  private var budget: Int

  init(wanted: [UInt8], text: UnsafeBufferPointer<UInt8>, isCutAfter: Bool) {
    self.wanted = wanted
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
