/// Reads the characters of an XML file from front to back.
struct MarkupScanner {
  private let bytes: [UInt8]
  private var place = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  var isAtEnd: Bool { place >= bytes.count }

  /// Passes over a text, if it is next.
  mutating func take(_ text: String) -> Bool {
    guard bytes[place...].starts(with: text.utf8) else { return false }
    place += text.utf8.count
    return true
  }

  /// - Returns: whether there was any.
  @discardableResult
  mutating func takeSpace() -> Bool {
    !takeAll { MarkupScanner.isSpace($0) }.isEmpty
  }

  mutating func takeName() throws(MarkupFault) -> String {
    let name = takeAll { !MarkupScanner.isSpace($0) && !#"/=<>"'&"#.utf8.contains($0) }
    guard !name.isEmpty else { throw fault("A name is missing.") }
    return String(decoding: name, as: UTF8.self)
  }

  /// The value of an attribute, with its quotes.
  mutating func takeValue(of name: String) throws(MarkupFault) -> String {
    guard let quote = ["\"", "'"].first(where: { take($0) })?.utf8.first else {
      throw fault("The value of \(name) is not in quotes.")
    }
    let value = takeAll { $0 != quote }
    guard !isAtEnd else { throw fault("The value of \(name) does not end.") }
    guard !value.contains(UInt8(ascii: "<")) else {
      throw fault("The value of \(name) has a \"<\".")
    }
    // A line break as such is a space (XML 1.0, section 3.3.3).
    let text = try decoded(value.map { MarkupScanner.isSpace($0) ? 0x20 : $0 }[...])
    place += 1
    return text
  }

  /// The text up to the next markup.
  mutating func takeText() throws(MarkupFault) -> String {
    try decoded(takeAll { $0 != UInt8(ascii: "<") })
  }

  /// What stands before an end, which is passed over.
  mutating func takeUntil(_ end: String, from start: String) throws(MarkupFault) -> String {
    var found = place
    while found < bytes.count, !bytes[found...].starts(with: end.utf8) { found += 1 }
    guard found < bytes.count else { throw fault("\(start) does not end.") }
    defer { place = found + end.utf8.count }
    return String(decoding: bytes[place..<found], as: UTF8.self)
  }

  func fault(_ reason: String) -> MarkupFault {
    let line = bytes[..<min(place, bytes.count)].count { $0 == UInt8(ascii: "\n") } + 1
    return MarkupFault(line: line, reason: reason)
  }

  static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x9 || byte == 0xA || byte == 0xD
  }

  private mutating func takeAll(where isMeant: (UInt8) -> Bool) -> ArraySlice<UInt8> {
    let start = place
    while place < bytes.count, isMeant(bytes[place]) { place += 1 }
    return bytes[start..<place]
  }

  /// With line breaks as XML has them, and references replaced.
  private func decoded(_ bytes: ArraySlice<UInt8>) throws(MarkupFault) -> String {
    var text = String(decoding: bytes, as: UTF8.self)
    if bytes.contains(0xD) {
      text = text.replacing("\r\n", with: "\n").replacing("\r", with: "\n")
    }
    guard bytes.contains(UInt8(ascii: "&")) else { return text }
    // Scalars: a combining mark behind it must not hide a "&".
    var result = String.UnicodeScalarView()
    var rest = text.unicodeScalars[...]
    while let start = rest.firstIndex(of: "&") {
      guard let end = rest[start...].firstIndex(of: ";"),
        let character = Self.character(String(rest[rest.index(after: start)..<end]))
      else { throw fault("\"&\" begins no reference that is known.") }
      result += rest[..<start]
      result.append(character)
      rest = rest[rest.index(after: end)...]
    }
    return String(result) + String(rest)
  }

  private static func character(_ name: String) -> Unicode.Scalar? {
    switch name {
    case "lt": return "<"
    case "gt": return ">"
    case "amp": return "&"
    case "quot": return "\""
    case "apos": return "'"
    default:
      guard name.hasPrefix("#") else { return nil }
      let isHexadecimal = name.hasPrefix("#x")
      let digits = name.dropFirst(isHexadecimal ? 2 : 1)
      return UInt32(digits, radix: isHexadecimal ? 16 : 10).flatMap(Unicode.Scalar.init)
    }
  }
}
