/// Reads the options of `curl` that hold what it makes a credential header of.
extension CredentialScanner {
  private static let options: [(name: [UInt8], mark: UInt8)] = [
    // Without the mark it is the name of a file, or a user without a password.
    ("--cookie", "="), ("-b", "="), ("--user", ":"), ("-u", ":"),
  ].map { (Array($0.0.utf8), Array($0.1.utf8)[0]) }

  mutating func readCurl(from start: Int) {
    guard start == 0 || !isNamePart(text[start - 1]), isBlank(at: start + 4) else { return }
    var place = start + 4
    defer { commandEnd = place }
    while place < text.count,
      text[place] != UInt8(ascii: "\n") || text[place - 1] == UInt8(ascii: "\\")
    {
      let option = Self.options.first { isBlank(at: place - 1) && has($0.name, at: place) }
      place += 1
      guard let option else { continue }
      readArgument(from: place - 1 + option.name.count, with: option.mark)
    }
  }

  private mutating func readArgument(from end: Int, with mark: UInt8) {
    let start = skipBlanks(from: end)
    guard start > end, start < text.count else { return }
    var value = start..<start
    if let opening = Quote(in: text, at: start) {
      value = opening.end..<opening.endOfString(in: text)
    } else {
      let stops = [" ", "\t", "\n", "\r", "\"", "'", "\\"].map { UInt8(ascii: $0) }
      value = start..<(text[start...].firstIndex(where: stops.contains) ?? text.count)
    }
    if text[value].contains(mark) { add(value.lowerBound, value.upperBound) }
  }

  private func isBlank(at place: Int) -> Bool {
    byte(at: place) == UInt8(ascii: " ") || byte(at: place) == UInt8(ascii: "\t")
      || byte(at: place) == UInt8(ascii: "\n")
  }
}
