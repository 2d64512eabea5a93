/// Reads the value of a name that was found.
extension CredentialScanner {
  mutating func readValue(of name: Range<Int>) {
    var end = name.upperBound
    // The list of cookies in a capture or in a request pattern.
    if end < text.count, text[end] | 0x20 == UInt8(ascii: "s") { end += 1 }
    if let quote = Quote(in: text, at: end), quote.ends(before: name.lowerBound, in: text) {
      readValueBefore(quote, name: name.lowerBound)
      return readQuoted(quote, from: quote.end)
    }
    guard end == name.upperBound else { return }
    let separator = skipBlanks(from: end)
    guard let byte = byte(at: separator) else { return }
    // "Cookie = …" is how a property list prints it; "cookie=…" is a parameter of a URL.
    let isHeader = byte == UInt8(ascii: ":")
    guard isHeader || (byte == UInt8(ascii: "=") && separator > end) else { return }
    let opening = Quote(before: name.lowerBound, in: text)
    let line = separator + 1..<endOfLine(from: separator + 1, orAt: opening)
    let start = skipBlanks(from: line.lowerBound)
    guard isHeader else { return add(start, line.upperBound) }
    readFolded(name: name.lowerBound, value: start..<max(start, line.upperBound), opening)
  }

  /// The value of a header, which goes on in the lines that are indented further than its name.
  private mutating func readFolded(name: Int, value: Range<Int>, _ opening: Quote?) {
    var (start, end) = (value.lowerBound, value.upperBound)
    let indentation = indentation(of: name) ?? (value.isEmpty ? 0 : nil)
    while let indentation, let next = endOfLineBreak(at: end) {
      let fold = skipBlanks(from: next)
      guard fold - next > indentation, fold < text.count else { break }
      if start == end { start = fold }
      end = endOfLine(from: fold, orAt: opening)
    }
    add(start, end)
  }

  /// The value of a key in quotes.
  private mutating func readQuoted(_ quote: Quote, from end: Int) {
    // [AnyHashable("Authorization"): "…"]
    let isWrapped = byte(at: end) == UInt8(ascii: ")")
    let separator = skipSpace(from: isWrapped ? end + 1 : end)
    switch byte(at: separator) {
    case UInt8(ascii: ":"), UInt8(ascii: "="):
      let isArrow = byte(at: separator + 1) == UInt8(ascii: ">")
      readStructure(quote, from: skipSpace(from: separator + (isArrow ? 2 : 1)))
    case UInt8(ascii: ","):
      // A capture: {"name": "Authorization", "value": "…"}; an element: (key: "…", value: "…").
      let start = skipSpace(from: separator + 1)
      let mark = has(Self.value, at: start) ? 0 : quote.length
      guard has(Self.value, at: start + mark) else { return }
      let colon = skipSpace(from: start + mark + Self.value.count + mark)
      guard byte(at: colon) == UInt8(ascii: ":") else { return }
      readStructure(quote, from: skipSpace(from: colon + 1))
    default: return
    }
  }

  /// The value that stands before its name: {"value": "…", "name": "Authorization"}.
  private mutating func readValueBefore(_ quote: Quote, name: Int) {
    let colon = lastNonSpace(before: name - quote.length)
    let keyEnd = lastNonSpace(before: colon) + 1
    let key = keyEnd - quote.length - 4
    guard byte(at: colon) == UInt8(ascii: ":"), has(Array("name".utf8), at: key),
      quote.ends(before: key, in: text)
    else { return }
    let nearest = max(lastNamed, key - Self.objectLimitBytes)
    lastNamed = key
    for place in (min(nearest, key)..<key).reversed() where has(Self.value, at: place) {
      guard quote.ends(before: place, in: text),
        let closing = Quote(in: text, at: place + Self.value.count),
        closing.length == quote.length
      else { continue }
      let colon = skipSpace(from: closing.end)
      guard byte(at: colon) == UInt8(ascii: ":") else { continue }
      let opening = Quote(in: text, at: skipSpace(from: colon + 1))
      guard let opening, opening.length == quote.length else { continue }
      let end = opening.endOfString(in: text)
      let isBetween = end < key && !text[end..<key].contains(where: isBrace)
      return isBetween ? add(opening.end, end) : ()
    }
  }

  private func isBrace(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "{") || byte == UInt8(ascii: "}")
  }

  private static let value = Array("value".utf8)
  private static let objectLimitBytes = 16 * 1024

  /// Takes every string that is no key, to the end of the list or object that begins here.
  private mutating func readStructure(_ quote: Quote, from start: Int) {
    var (place, depth) = (start, 0)
    repeat {
      guard let byte = byte(at: place) else { return }
      switch byte {
      case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "("): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"), UInt8(ascii: ")"): depth -= 1
      default:
        if let opening = Quote(in: text, at: place), opening.length == quote.length {
          let end = opening.endOfString(in: text)
          let next = skipSpace(from: end + opening.length)
          let isKey = depth > 0 && self.byte(at: next) == UInt8(ascii: ":")
          if !isKey || !isPlain(opening.end..<end) { add(opening.end, end) }
          place = end + opening.length - 1
        } else if depth == 0 {
          let end = endOfWord(from: place)
          add(place, end)
          place = end
        } else if isWordPart(byte) {
          place = readWord(from: place) - 1
        }
      }
      place += 1
    } while depth > 0
  }

  /// Takes a number of JSON, or a word that a property list has without quotes.
  ///
  /// - Returns: its end.
  private mutating func readWord(from start: Int) -> Int {
    let end = text.indices.suffix(from: start).first { !isWordPart(text[$0]) } ?? text.count
    let isEnd = [",", ")", "]", "}"].map { UInt8(ascii: $0) as UInt8? }
      .contains(byte(at: skipSpace(from: end)))
    let isConstant = ["true", "false", "null", "nil"].contains {
      text[start..<end].elementsEqual($0.utf8)
    }
    if isEnd, !isConstant { add(start, end) }
    return end
  }

  private func isWordPart(_ byte: UInt8) -> Bool {
    isNamePart(byte) || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "+")
  }

  /// Whether a key may be shown: a credential can stand there by mistake.
  private func isPlain(_ key: Range<Int>) -> Bool {
    key.count <= Self.keyLimitBytes && text[key].allSatisfy(isWordPart)
  }

  private static let keyLimitBytes = 40
}
