extension JSONScanner {
  /// The end of the container that was opened at `start`, if it ends here; mistakes are reported.
  ///
  /// `nil` means that there is more to read, and something to read it from.
  mutating func closing(_ wanted: UInt8, of start: Int) -> Int? {
    while at < bytes.count, diagnostics.count < JSONParser.mistakeLimit {
      let found = bytes[at]
      guard found == ascii("]") || found == ascii("}") else { return nil }
      if found == wanted {
        at += 1
        return at
      }
      let opener = found == ascii("]") ? ascii("[") : ascii("{")
      if open.dropLast().contains(where: { $0.bracket == opener }) {
        bracketMistake(
          "\"\(character(wanted))\" is missing before this \"\(character(found))\".", at..<at + 1,
          opened: start)
        return at
      }
      bracketMistake(
        "\"\(character(found))\" does not close \"\(character(bytes[start]))\"."
          + " Write \"\(character(wanted))\" instead, or remove it.", at..<at + 1, opened: start)
      at += 1
      if open.count == 1, isAtEnd { return at }
      skipTrivia()
      if at < bytes.count, bytes[at] == ascii(",") { at += 1 }
      skipTrivia()
    }
    at = bytes.count
    reportNeverClosed(start, wanted)
    return at
  }

  private var isAtEnd: Bool {
    var probe = self
    probe.skipTrivia()
    return probe.at >= bytes.count
  }

  private mutating func reportNeverClosed(_ start: Int, _ wanted: UInt8) {
    bracketMistake(
      "The file ends, but \"\(character(bytes[start]))\" of line \(source.line(at: start)) is not"
        + " closed. Write \"\(character(wanted))\" where it should end.",
      bytes.count..<bytes.count, opened: start)
    bracketMistakes += 1
  }

  /// Reports the first mistake with brackets; what follows from it is only counted.
  mutating func bracketMistake(_ message: String, _ range: Range<Int>, opened: Int? = nil) {
    defer { bracketMistakes += 1 }
    commaMayBeLost = true
    guard bracketMistakes == 0 else { return }
    let notes = opened.map {
      [
        Diagnostic.Note(
          "\"\(character(bytes[$0]))\" is opened here.", at: location($0..<$0 + 1))
      ]
    }
    report(message, range, notes: notes ?? [])
  }

  private func character(_ byte: UInt8) -> Character { Character(Unicode.Scalar(byte)) }
}
