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
      report("The brackets are nested deeper than \(JSONParser.depthLimit) levels.", at..<at + 1)
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
    if bytes.allSatisfy({ $0 < 0x80 }) || String(validating: bytes, as: UTF8.self) != nil {
      return true
    }
    if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
      report("The file is UTF-16. Save it as UTF-8.", 0..<2)
      return false
    }
    var (iterator, offset) = (bytes.makeIterator(), 0)
    var parser = Unicode.UTF8.ForwardParser()
    while diagnostics.count < 3 {
      switch parser.parseScalar(from: &iterator) {
      case .valid(let encoded): offset += encoded.count
      case .error(let length):
        let hex = String(bytes[offset], radix: 16, uppercase: true)
        report("The byte 0x\(hex) isn't valid UTF-8. Save the file as UTF-8.", offset..<offset + 1)
        offset += length
      case .emptyInput: return diagnostics.isEmpty
      }
    }
    return false
  }
}

extension JSONScanner {
  /// Skips white space and comments.
  mutating func skipTrivia() {
    while at < bytes.count {
      switch bytes[at] {
      case ascii(" "), ascii("\n"), ascii("\t"), ascii("\r"): at += 1
      case ascii("/"):
        if !skipComment() { return }
      // A no-break space comes with text that was copied from a page or a chat.
      case 0xC2 where at + 1 < bytes.count && bytes[at + 1] == 0xA0: at += 2
      default: return
      }
    }
  }

  private mutating func skipComment() -> Bool {
    guard at + 1 < bytes.count else { return false }
    switch bytes[at + 1] {
    case ascii("/"):
      while at < bytes.count, bytes[at] != ascii("\n") { at += 1 }
    case ascii("*"):
      skipBlockComment()
    default:
      return false
    }
    return true
  }

  private mutating func skipBlockComment() {
    let start = at
    at += 2
    while at + 1 < bytes.count {
      if bytes[at] == ascii("*"), bytes[at + 1] == ascii("/") {
        at += 2
        return
      }
      at += 1
    }
    at = bytes.count
    report("The comment is never closed. Write \"*/\" at its end.", start..<start + 2)
    bracketMistakes += 2
  }

  func isDelimiter(_ byte: UInt8) -> Bool {
    switch byte {
    case ascii(","), ascii("]"), ascii("}"), ascii("["), ascii("{"), ascii("\n"), ascii("\r"): true
    default: false
    }
  }

  func location(_ range: Range<Int>) -> SourceLocation {
    SourceLocation(file: source, range: range)
  }

  mutating func report(
    _ message: String, _ range: Range<Int>, suggestions: [String] = [],
    notes: [Diagnostic.Note] = []
  ) {
    guard diagnostics.count < JSONParser.mistakeLimit else { return }
    let isLast = diagnostics.count == JSONParser.mistakeLimit - 1
    diagnostics.append(
      Diagnostic(
        message + (isLast ? " What follows is not looked at." : ""), at: location(range),
        suggestions: suggestions, notes: notes))
  }

  /// The whole character at an offset.
  func characterRange(_ offset: Int) -> Range<Int> {
    guard offset < bytes.count else { return bytes.count..<bytes.count }
    var end = offset + 1
    while end < bytes.count, bytes[end] & 0xC0 == 0x80 { end += 1 }
    return offset..<end
  }

  func text(_ range: Range<Int>) -> String {
    String(decoding: UnsafeBufferPointer(rebasing: bytes[range]), as: UTF8.self)
  }

  func describeCharacter(at offset: Int) -> String {
    guard offset < bytes.count else { return "the end of the file" }
    if bytes[offset] == ascii("\n") || bytes[offset] == ascii("\r") { return "the end of the line" }
    let character = text(characterRange(offset))
    guard let scalar = character.unicodeScalars.first, scalar.value >= 0x20, scalar.value != 0x7F
    else { return "a control character (\(Self.codePoint(bytes[offset])))" }
    return "\"\(character)\""
  }

  static func codePoint(_ byte: UInt8) -> String {
    let digits = String(byte, radix: 16, uppercase: true)
    return "U+" + String(repeating: "0", count: 4 - digits.count) + digits
  }
}
