/// The state of reading one JSON file.
///
/// Works on the file's bytes, which outlive it: it never leaves `JSONParser.parse`.
struct JSONScanner {
  let source: SourceFile
  let bytes: UnsafeBufferPointer<UInt8>
  var at = 0
  var diagnostics: [Diagnostic] = []
  /// The brackets that are open, outermost first.
  var open: [(bracket: UInt8, offset: Int)] = []
  var bracketMistakes = 0
  /// Set by a mistake that probably swallowed the comma after it.
  var commaMayBeLost = false

  init(file: SourceFile, bytes: UnsafeBufferPointer<UInt8>) {
    source = file
    self.bytes = bytes
  }

  mutating func file() -> JSONNode? {
    guard checkEncoding() else { return nil }
    if bytes.starts(with: SourceFile.byteOrderMark) { at = 3 }
    skipTrivia()
    guard at < bytes.count else {
      report("The file is empty. Write a JSON object: { … }.", bytes.count..<bytes.count)
      return nil
    }
    guard let node = value() else {
      report("Expected a JSON value, found \(describeCharacter(at: at)).", characterRange(at))
      return nil
    }
    checkNothingFollows(node)
    return isStructureDoubtful ? nil : node
  }

  fileprivate var isStructureDoubtful: Bool {
    bracketMistakes > 1 || diagnostics.count >= JSONParser.mistakeLimit
  }

  private mutating func checkNothingFollows(_ node: JSONNode) {
    skipTrivia()
    guard at < bytes.count, bracketMistakes == 0 else {
      if at < bytes.count { bracketMistakes += 1 }
      return
    }
    bracketMistakes = 2
    let end = node.location.range.upperBound
    report(
      "\(describeCharacter(at: at)) stands after the end of the file's value."
        + " Remove it, or the closing bracket that came too early.",
      characterRange(at), notes: [.init("The value ends here.", at: location(end - 1..<end))])
  }

  /// Reads a value; `nil`, without a report, where none begins.
  mutating func value() -> JSONNode? {
    guard at < bytes.count else { return nil }
    switch bytes[at] {
    case ascii("\""): return string()
    case ascii("{"): return nested { $0.object() }
    case ascii("["): return nested { $0.array() }
    case ascii("0")...ascii("9"), ascii("-"), ascii("+"), ascii("."): return number()
    case ascii("}"), ascii("]"), ascii(","), ascii(":"), ascii(";"), ascii("="): return nil
    case ascii("a")...ascii("z"), ascii("A")...ascii("Z"), ascii("_"), ascii("$"): return word()
    default: return oddlyQuotedString() ?? unreadable()
    }
  }

  private mutating func nested(_ read: (inout JSONScanner) -> JSONNode) -> JSONNode {
    guard open.count < JSONParser.depthLimit else {
      report(
        "The brackets are nested deeper than \(JSONParser.depthLimit) levels.", at..<at + 1)
      bracketMistakes += 2
      defer { at = bytes.count }
      return JSONNode(.invalid, at: location(at..<bytes.count))
    }
    open.append((bytes[at], at))
    defer { open.removeLast() }
    return read(&self)
  }

  private mutating func unreadable() -> JSONNode {
    let start = at
    report("Expected a JSON value, found \(describeCharacter(at: at)).", characterRange(at))
    while at < bytes.count, !isDelimiter(bytes[at]) { at += 1 }
    return JSONNode(.invalid, at: location(start..<at))
  }
}

/// The byte of an ASCII character.
@inline(__always)
func ascii(_ character: Unicode.Scalar) -> UInt8 { UInt8(ascii: character) }

/// Reads JSON as people write it: with `//` and `/* */` comments and trailing commas.
package enum JSONParser {
  /// How deep arrays and objects may be nested.
  package static let depthLimit = 200
  /// How many mistakes of one file are reported; what follows is rarely about anything else.
  package static let mistakeLimit = 25

  /// Reads one file.
  ///
  /// Every mistake is reported, then reading goes on as if it had been fixed. Equal keys are kept.
  ///
  /// - Returns: the value, where its structure can be trusted: `nil` where the brackets are so
  ///   broken that what belongs where is a guess. Single values that can't be read are `.invalid`.
  package static func parse(_ file: SourceFile) -> (node: JSONNode?, diagnostics: [Diagnostic]) {
    file.bytes.withUnsafeBufferPointer { bytes in
      var scanner = JSONScanner(file: file, bytes: bytes)
      let node = scanner.file()
      return (node, scanner.diagnostics)
    }
  }

  /// Reads the one value that begins at an offset of a file, whatever follows it.
  ///
  /// - Returns: as `parse`, with the offset after the value.
  package static func parse(
    _ file: SourceFile, valueAt offset: Int
  ) -> (node: JSONNode?, end: Int, diagnostics: [Diagnostic]) {
    file.bytes.withUnsafeBufferPointer { bytes in
      var scanner = JSONScanner(file: file, bytes: bytes)
      scanner.at = offset
      let node = scanner.value()
      return (scanner.isStructureDoubtful ? nil : node, scanner.at, scanner.diagnostics)
    }
  }
}

extension JSONScanner {
  /// Whether the file can be read at all; bytes that aren't valid UTF-8 are reported one by one.
  mutating func checkEncoding() -> Bool {
    if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
      report("The file is UTF-16. Save it as UTF-8.", 0..<2)
      return false
    }
    guard let first = bytes.firstIndex(where: { $0 >= 0x80 }) else { return true }
    var offset = first
    while offset < bytes.count, diagnostics.count < 3 {
      let length = wellFormedLength(at: offset)
      if length == 0 {
        let hex = String(bytes[offset], radix: 16, uppercase: true)
        report("The byte 0x\(hex) isn't valid UTF-8. Save the file as UTF-8.", offset..<offset + 1)
        offset += 1
        while offset < bytes.count, bytes[offset] & 0xC0 == 0x80 { offset += 1 }
      } else {
        offset += length
      }
    }
    return diagnostics.isEmpty
  }

  /// The length of the character at an offset, by table 3-7 of the Unicode standard; 0: malformed.
  private func wellFormedLength(at offset: Int) -> Int {
    let first = bytes[offset]
    if first < 0x80 { return 1 }
    let second: ClosedRange<UInt8>
    let length: Int
    switch first {
    case 0xC2...0xDF: (second, length) = (0x80...0xBF, 2)
    case 0xE0: (second, length) = (0xA0...0xBF, 3)
    case 0xED: (second, length) = (0x80...0x9F, 3)
    case 0xE1...0xEF: (second, length) = (0x80...0xBF, 3)
    case 0xF0: (second, length) = (0x90...0xBF, 4)
    case 0xF1...0xF3: (second, length) = (0x80...0xBF, 4)
    case 0xF4: (second, length) = (0x80...0x8F, 4)
    default: return 0
    }
    guard offset + length <= bytes.count, second.contains(bytes[offset + 1]) else { return 0 }
    return bytes[offset + 2..<offset + max(2, length)].allSatisfy { $0 & 0xC0 == 0x80 } ? length : 0
  }
}
