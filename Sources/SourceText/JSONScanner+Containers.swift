extension JSONScanner {
  mutating func array() -> JSONNode {
    let start = at
    var elements: [JSONNode] = []
    at += 1
    while true {
      skipTrivia()
      if let end = closing(ascii("]"), of: start) {
        return JSONNode(.array(elements), at: location(start..<end))
      }
      if skipStrayPunctuation() { continue }
      if let key = keyInArray() {
        bracketMistake(
          "The list is not closed before the key \(text(key)). Write \"]\".", key, opened: start)
        return JSONNode(.array(elements), at: location(start..<key.lowerBound))
      }
      let element = value()
      if let element { elements.append(element) }
      comma(after: element)
    }
  }

  mutating func object() -> JSONNode {
    let start = at
    var members: [JSONMember] = []
    at += 1
    while true {
      skipTrivia()
      if let end = closing(ascii("}"), of: start) {
        return JSONNode(.object(members), at: location(start..<end))
      }
      if skipStrayPunctuation() { continue }
      if bytes[at] == ascii("{"), !members.isEmpty, isInList {
        bracketMistake(
          "The object before this one is not closed. Write \"}\" before it.",
          at..<at + 1, opened: start)
        return JSONNode(.object(members), at: location(start..<at))
      }
      let member = member()
      if let member { members.append(member) }
      comma(after: member?.value)
    }
  }

  private var isInList: Bool {
    open.count > 1 && open[open.count - 2].bracket == ascii("[")
  }

  private mutating func member() -> JSONMember? {
    guard let key = key() else { return nil }
    skipTrivia()
    let name = key.stringValue ?? ""
    if at < bytes.count, bytes[at] == ascii(":") {
      at += 1
    } else if at < bytes.count, bytes[at] == ascii("=") {
      report("Expected \":\" between a key and its value, found \"=\".", at..<at + 1)
      at += 1
    } else if !key.isInvalid {
      reportMissingColon(after: key, name)
    }
    skipTrivia()
    if let value = value() {
      return key.isInvalid
        ? nil : JSONMember(key: name, keyLocation: key.location, value: value)
    }
    if diagnostics.last?.location?.range.lowerBound != key.location.range.upperBound {
      report("The value of \"\(name)\" is missing.", key.location.range)
    }
    return JSONMember(
      key: name, keyLocation: key.location, value: JSONNode(.invalid, at: key.location))
  }

  private mutating func reportMissingColon(after key: JSONNode, _ name: String) {
    let end = key.location.range.upperBound
    let isValueThere =
      at < bytes.count && ![ascii(","), ascii("}"), ascii("]")].contains(bytes[at])
    report(
      isValueThere
        ? "\":\" is missing after the key \"\(name)\"."
        : "\":\" and a value are missing after the key \"\(name)\".", end..<end)
  }

  /// Reads a key; `nil` where what stands here is a value without one, which is reported.
  private mutating func key() -> JSONNode? {
    switch bytes[at] {
    case ascii("\""): return string()
    case ascii("a")...ascii("z"), ascii("A")...ascii("Z"), ascii("_"), ascii("$"):
      let range = wordRange()
      at = range.upperBound
      let word = text(range)
      report("The key \"\(word)\" is written without double quotes.", range)
      return JSONNode(.string(word), at: location(range))
    default:
      if let key = oddlyQuotedString() { return key }
      let before = diagnostics.count
      guard let value = value(), diagnostics.count == before else { return nil }
      report("Expected a key in double quotes.", value.location.range)
      skipTrivia()
      if at < bytes.count, bytes[at] == ascii(":") {
        at += 1
        skipTrivia()
        _ = self.value()
      }
      return nil
    }
  }

  /// Where a string with a colon after it stands in a list: its range, with nothing consumed.
  private func keyInArray() -> Range<Int>? {
    guard bytes[at] == ascii("\""), open.dropLast().contains(where: { $0.bracket == ascii("{") })
    else { return nil }
    var end = at + 1
    while end < bytes.count, bytes[end] != ascii("\""), bytes[end] != ascii("\n") {
      end += bytes[end] == ascii("\\") ? 2 : 1
    }
    guard end < bytes.count, bytes[end] == ascii("\"") else { return nil }
    var next = end + 1
    while next < bytes.count, bytes[next] == ascii(" ") { next += 1 }
    return next < bytes.count && bytes[next] == ascii(":") ? at..<end + 1 : nil
  }

  /// Takes the comma after an element, or reports that it is missing.
  private mutating func comma(after previous: JSONNode?) {
    defer { commaMayBeLost = false }
    skipTrivia()
    guard at < bytes.count else { return }
    switch bytes[at] {
    case ascii(","): at += 1
    case ascii("]"), ascii("}"): return
    case ascii(";"):
      report("Expected \",\" here, found \";\".", at..<at + 1)
      at += 1
    case ascii(":"), ascii("="): return
    default:
      guard let previous, !previous.isInvalid, !commaMayBeLost else { return }
      if keyInArray() != nil, open.last?.bracket == ascii("[") { return }
      if bytes[at] == ascii("{"), open.last?.bracket == ascii("{"), isInList { return }
      let end = previous.location.range.upperBound
      report("A comma is missing here.", end..<end)
    }
  }

  /// Reports and skips a comma or colon that stands where an element is wanted.
  private mutating func skipStrayPunctuation() -> Bool {
    switch bytes[at] {
    case ascii(","):
      report("This comma is one too many.", at..<at + 1)
      at += 1
    case ascii(":"), ascii(";"), ascii("="):
      report("\(describeCharacter(at: at)) has nothing before it to belong to.", at..<at + 1)
      at += 1
      skipTrivia()
      _ = value()
      if at < bytes.count, bytes[at] == ascii(",") { at += 1 }
    default: return false
    }
    return true
  }

  // MARK: - Brackets

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
        Diagnostic.Note("\"\(character(bytes[$0]))\" is opened here.", at: location($0..<$0 + 1))
      ]
    }
    report(message, range, notes: notes ?? [])
  }

  private func character(_ byte: UInt8) -> Character { Character(Unicode.Scalar(byte)) }
}
