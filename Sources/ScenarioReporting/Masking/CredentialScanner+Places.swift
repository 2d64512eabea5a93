/// Where things begin and end in the text.
extension CredentialScanner {
  func byte(at place: Int) -> UInt8? { text.indices.contains(place) ? text[place] : nil }

  func skipBlanks(from start: Int) -> Int {
    text.indices.suffix(from: min(start, text.count)).first {
      text[$0] != UInt8(ascii: " ") && text[$0] != UInt8(ascii: "\t")
    } ?? text.count
  }

  func skipSpace(from start: Int) -> Int {
    text.indices.suffix(from: min(start, text.count)).first {
      text[$0] > UInt8(ascii: " ")
    } ?? text.count
  }

  func endOfWord(from start: Int) -> Int {
    text.indices.suffix(from: start).first {
      text[$0] < UInt8(ascii: " ") || UInt8(ascii: ",") == text[$0]
        || UInt8(ascii: "}") == text[$0] || UInt8(ascii: "]") == text[$0]
    } ?? text.count
  }

  /// -1 where there is none.
  func lastNonSpace(before end: Int) -> Int {
    text.indices.prefix(max(0, end)).last { text[$0] > UInt8(ascii: " ") } ?? -1
  }

  /// The end of the line, as such or escaped; or the quote that opened before the name.
  func endOfLine(from start: Int, orAt opening: Quote?) -> Int {
    var isQuoted = false
    return text.indices.suffix(from: start).first { place in
      if text[place] == UInt8(ascii: "\n") || text[place] == UInt8(ascii: "\r") { return true }
      if let opening, text[place - 1] != UInt8(ascii: "\\"),
        Quote(in: text, at: place) == opening.moved(to: place)
      {
        return true
      }
      if text[place] == UInt8(ascii: "\"") { isQuoted.toggle() }
      // username="CORP\nick"
      return isEscapedLineBreak(at: place) && !(isQuoted && closesQuote(after: place))
    } ?? text.count
  }

  private func isEscapedLineBreak(at place: Int) -> Bool {
    guard text[place] == UInt8(ascii: "\\"), let next = byte(at: place + 1) else { return false }
    return next == UInt8(ascii: "n") || next == UInt8(ascii: "r")
  }

  private static let quoteLimitBytes = 1024

  private func closesQuote(after place: Int) -> Bool {
    text[place...].prefix(Self.quoteLimitBytes).first {
      $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\n")
    }
      == UInt8(ascii: "\"")
  }

  /// Where a line break ends, as such or escaped.
  func endOfLineBreak(at start: Int) -> Int? {
    var place = start
    for letter in ["\r", "\n"] as [Unicode.Scalar] {
      if byte(at: place) == UInt8(ascii: letter) {
        place += 1
      } else if place < text.count, isEscapedLineBreak(at: place),
        text[place + 1] == (letter == "\r" ? UInt8(ascii: "r") : UInt8(ascii: "n"))
      {
        place += 2
      }
    }
    return place > start ? place : nil
  }

  /// How far a name is indented that begins its line; `nil` where something else does.
  func indentation(of name: Int) -> Int? {
    var start = name
    while start > 0, [" ", "\t", ">", "<"].map({ UInt8(ascii: $0) }).contains(text[start - 1]) {
      start -= 1
    }
    guard start > 0 else { return name - start }
    switch text[start - 1] {
    case UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\""), UInt8(ascii: "'"):
      return name - start
    default: return start > 1 && isEscapedLineBreak(at: start - 2) ? name - start : nil
    }
  }
}
