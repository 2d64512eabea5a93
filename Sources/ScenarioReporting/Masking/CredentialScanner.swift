/// Finds the values of credential headers in what an app wrote and in files: wherever a text has the
/// shape of such a header, in a log, in a command of curl, in JSON.
struct CredentialScanner {
  private let text: UnsafeBufferPointer<UInt8>
  private var ranges: [Range<Int>] = []

  /// The ranges that values take, in order, none touching another.
  static func ranges(in text: UnsafeBufferPointer<UInt8>) -> [Range<Int>] {
    var scanner = CredentialScanner(text: text)
    scanner.scan()
    return scanner.ranges
  }

  private init(text: UnsafeBufferPointer<UInt8>) {
    self.text = text
  }

  private struct Name {
    var bytes: [UInt8]
    /// The offset of its rarest letter, by which it is looked for.
    var anchor: Int
    /// What may stand before it as a part of it.
    var prefix: [UInt8]
  }

  private static let authorization = Name(
    bytes: Array("authorization".utf8), anchor: 7, prefix: Array("proxy-".utf8))
  private static let cookie = Name(
    bytes: Array("cookie".utf8), anchor: 3, prefix: Array("set-".utf8))

  private mutating func scan() {
    var place = 0
    while place < text.count {
      let name: Name? =
        switch text[place] | 0x20 {
        case UInt8(ascii: "z"): Self.authorization
        case UInt8(ascii: "k"): Self.cookie
        default: nil
        }
      if let name, let range = nameRange(name, anchoredAt: place) {
        let known = ranges.count
        readValue(of: range)
        if ranges.count > known { place = ranges[ranges.count - 1].upperBound }
      }
      place += 1
    }
  }

  /// Where the whole name stands, if it does.
  private func nameRange(_ name: Name, anchoredAt place: Int) -> Range<Int>? {
    var start = place - name.anchor
    let end = start + name.bytes.count
    guard has(name.bytes, at: start) else { return nil }
    if has(name.prefix, at: start - name.prefix.count) { start -= name.prefix.count }
    guard start == 0 || !isNamePart(text[start - 1]) else { return nil }
    return start..<end
  }

  private func has(_ lowercase: [UInt8], at start: Int) -> Bool {
    guard start >= 0, start + lowercase.count <= text.count else { return false }
    return lowercase.indices.allSatisfy {
      text[start + $0] == lowercase[$0] || text[start + $0] | 0x20 == lowercase[$0]
    }
  }

  private func isNamePart(_ byte: UInt8) -> Bool {
    byte.isWordByte || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
  }

  private mutating func readValue(of name: Range<Int>) {
    var end = name.upperBound
    // The list of cookies in a capture or in a request pattern.
    if end < text.count, text[end] | 0x20 == UInt8(ascii: "s") { end += 1 }
    if let quote = Quote(in: text, at: end), quote.ends(before: name.lowerBound, in: text) {
      return readQuoted(quote, from: quote.end)
    }
    guard end == name.upperBound else { return }
    let separator = skipBlanks(from: end)
    guard let byte = byte(at: separator) else { return }
    // "Cookie = …" is how a property list prints it; "cookie=…" is a parameter of a URL.
    let isHeader = byte == UInt8(ascii: ":")
    guard isHeader || (byte == UInt8(ascii: "=") && separator > end) else { return }
    let opening = Quote(before: name.lowerBound, in: text)
    add(skipBlanks(from: separator + 1), endOfLine(from: separator + 1, orAt: opening))
  }

  /// The value of a key in quotes.
  private mutating func readQuoted(_ quote: Quote, from end: Int) {
    let separator = skipSpace(from: end)
    switch byte(at: separator) {
    case UInt8(ascii: ":"), UInt8(ascii: "="):
      let isArrow = byte(at: separator + 1) == UInt8(ascii: ">")
      readStructure(quote, from: skipSpace(from: separator + (isArrow ? 2 : 1)))
    case UInt8(ascii: ","):
      // A capture: {"name": "Authorization", "value": "…"}.
      let key = skipSpace(from: separator + 1) + quote.length
      guard has(Array("value".utf8), at: key) else { return }
      let colon = skipSpace(from: key + 5 + quote.length)
      guard byte(at: colon) == UInt8(ascii: ":") else { return }
      readStructure(quote, from: skipSpace(from: colon + 1))
    default: return
    }
  }

  /// Takes every string that is no key, to the end of the list or object that begins here.
  private mutating func readStructure(_ quote: Quote, from start: Int) {
    var (place, depth) = (start, 0)
    repeat {
      guard let byte = byte(at: place) else { return }
      switch byte {
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      default:
        if let opening = Quote(in: text, at: place), opening.length == quote.length {
          let end = opening.endOfString(in: text)
          let next = skipSpace(from: end + opening.length)
          if depth == 0 || self.byte(at: next) != UInt8(ascii: ":") { add(opening.end, end) }
          place = end + opening.length - 1
        } else if depth == 0 {
          let end = endOfWord(from: place)
          add(place, end)
          place = end
        }
      }
      place += 1
    } while depth > 0
  }

  private mutating func add(_ start: Int, _ end: Int) {
    if start < end { ranges.append(start..<end) }
  }

  private func byte(at place: Int) -> UInt8? { place < text.count ? text[place] : nil }

  private func skipBlanks(from start: Int) -> Int {
    text.indices.suffix(from: min(start, text.count)).first {
      text[$0] != UInt8(ascii: " ") && text[$0] != UInt8(ascii: "\t")
    } ?? text.count
  }

  private func skipSpace(from start: Int) -> Int {
    text.indices.suffix(from: min(start, text.count)).first {
      text[$0] > UInt8(ascii: " ")
    } ?? text.count
  }

  private func endOfWord(from start: Int) -> Int {
    text.indices.suffix(from: start).first {
      text[$0] < UInt8(ascii: " ") || UInt8(ascii: ",") == text[$0]
        || UInt8(ascii: "}") == text[$0] || UInt8(ascii: "]") == text[$0]
    } ?? text.count
  }

  /// The end of the line, as such or escaped; or the quote that opened before the name.
  private func endOfLine(from start: Int, orAt opening: Quote?) -> Int {
    text.indices.suffix(from: start).first { place in
      if text[place] == UInt8(ascii: "\n") || text[place] == UInt8(ascii: "\r") { return true }
      if let opening, text[place - 1] != UInt8(ascii: "\\"),
        Quote(in: text, at: place) == opening.moved(to: place)
      {
        return true
      }
      guard text[place] == UInt8(ascii: "\\"), let next = byte(at: place + 1) else { return false }
      return next == UInt8(ascii: "n") || next == UInt8(ascii: "r")
    } ?? text.count
  }
}
