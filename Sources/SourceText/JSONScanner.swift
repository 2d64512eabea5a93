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
      report("A JSON value is wanted here, found \(describeCharacter(at: at)).", characterRange(at))
      return nil
    }
    checkNothingFollows(node)
    return isStructureDoubtful ? nil : node
  }

  private var isStructureDoubtful: Bool {
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
    report("A JSON value is wanted here, found \(describeCharacter(at: at)).", characterRange(at))
    while at < bytes.count, !isDelimiter(bytes[at]) { at += 1 }
    return JSONNode(.invalid, at: location(start..<at))
  }
}

/// The byte of an ASCII character.
@inline(__always)
func ascii(_ character: Unicode.Scalar) -> UInt8 { UInt8(ascii: character) }
