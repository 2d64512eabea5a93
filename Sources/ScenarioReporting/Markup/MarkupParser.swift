/// Reads XML 1.0 in UTF-8 without a document type: what this program writes as a report, and what
/// others make of it.
///
/// Not FoundationXML, which takes every start of the program 1.6 ms to load, whatever it is to do. A
/// document type is refused: so there is no entity to expand and no file to fetch.
package struct MarkupParser {
  private static let depthLimit = 100

  private let bytes: [UInt8]
  private var place = 0
  /// The elements that are open, outermost first.
  private var open: [MarkupElement] = []

  /// - Returns: the root.
  package static func parse(_ bytes: [UInt8]) throws(MarkupFault) -> MarkupElement {
    var parser = MarkupParser(bytes)
    return try parser.document()
  }

  private init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  private mutating func document() throws(MarkupFault) -> MarkupElement {
    guard String(validating: bytes, as: UTF8.self) != nil else {
      throw fault("The file is not UTF-8.")
    }
    if has("\u{FEFF}") { skip("\u{FEFF}") }
    var root: MarkupElement?
    while place < bytes.count {
      if let closed = try next() {
        if root != nil { throw fault("There is more than one root element.") }
        root = closed
      }
    }
    if let last = open.last { throw fault("<\(last.name)> is not closed.") }
    guard let root else { throw fault("There is no element.") }
    return root
  }

  /// Reads one piece of markup or text.
  ///
  /// - Returns: the root, where this piece closes it.
  private mutating func next() throws(MarkupFault) -> MarkupElement? {
    if has("<!--") {
      try passOver("<!--", until: "-->")
    } else if has("<?") {
      try passOver("<?", until: "?>")
    } else if has("<![CDATA[") {
      try characterData()
    } else if has("<!") {
      throw fault("A document type is not read.")
    } else if has("</") {
      return try endTag()
    } else if has("<") {
      return try startTag()
    } else {
      try text()
    }
    return nil
  }

  private mutating func startTag() throws(MarkupFault) -> MarkupElement? {
    skip("<")
    var element = MarkupElement(try name())
    while true {
      let isSpaced = skipSpace()
      if has("/>") {
        skip("/>")
        return add(element)
      }
      if has(">") {
        skip(">")
        guard open.count < Self.depthLimit else { throw fault("The elements lie too deep.") }
        open.append(element)
        return nil
      }
      guard isSpaced else { throw fault("<\(element.name)> is not as XML wants it.") }
      let attribute = try attribute()
      guard element[attribute.name] == nil else {
        throw fault("<\(element.name)> has \(attribute.name) twice.")
      }
      element.attributes.append(attribute)
    }
  }

  private mutating func attribute() throws(MarkupFault) -> MarkupElement.Attribute {
    let name = try name()
    skipSpace()
    guard has("=") else { throw fault("\(name) has no value.") }
    skip("=")
    skipSpace()
    guard place < bytes.count, case let quote = bytes[place], quote == 0x22 || quote == 0x27 else {
      throw fault("The value of \(name) is not in quotes.")
    }
    place += 1
    let start = place
    while place < bytes.count, bytes[place] != quote { place += 1 }
    guard place < bytes.count else { throw fault("The value of \(name) does not end.") }
    let value = bytes[start..<place]
    guard !value.contains(UInt8(ascii: "<")) else {
      throw fault("The value of \(name) has a \"<\".")
    }
    // A line break as such is a space (XML 1.0, section 3.3.3).
    let spaced = value.map { $0 == 0x9 || $0 == 0xA || $0 == 0xD ? 0x20 : $0 }
    let text = try decoded(spaced[...])
    place += 1
    return MarkupElement.Attribute(name: name, value: text)
  }

  private mutating func endTag() throws(MarkupFault) -> MarkupElement? {
    skip("</")
    let name = try name()
    skipSpace()
    guard has(">"), let element = open.popLast(), element.name == name else {
      throw fault("</\(name)> closes nothing.")
    }
    skip(">")
    return add(element)
  }

  /// - Returns: the element, where it is the root.
  private mutating func add(_ element: MarkupElement) -> MarkupElement? {
    guard !open.isEmpty else { return element }
    if case .text(let text)? = open[open.count - 1].children.last, Self.isBlank(text) {
      open[open.count - 1].children.removeLast()
    }
    open[open.count - 1].children.append(.element(element))
    return nil
  }

  private mutating func text() throws(MarkupFault) {
    let start = place
    while place < bytes.count, bytes[place] != UInt8(ascii: "<") { place += 1 }
    try addText(try decoded(bytes[start..<place]))
  }

  private mutating func characterData() throws(MarkupFault) {
    let start = place + 9
    try passOver("<![CDATA[", until: "]]>")
    try addText(String(decoding: bytes[start..<(place - 3)], as: UTF8.self))
  }

  /// Text between elements is layout alone.
  private mutating func addText(_ text: String) throws(MarkupFault) {
    let isBlank = Self.isBlank(text)
    guard !open.isEmpty else {
      if isBlank { return }
      throw fault("There is text outside of the root element.")
    }
    if text.isEmpty || isBlank && !open[open.count - 1].elements.isEmpty { return }
    open[open.count - 1].children.append(.text(text))
  }
}

// MARK: - Characters

extension MarkupParser {
  private static func isBlank(_ text: String) -> Bool {
    text.utf8.allSatisfy { $0 == 0x20 || $0 == 0x9 || $0 == 0xA || $0 == 0xD }
  }

  private func has(_ text: String) -> Bool { bytes[place...].starts(with: text.utf8) }

  private mutating func skip(_ text: String) { place += text.utf8.count }

  private mutating func passOver(_ start: String, until end: String) throws(MarkupFault) {
    var found = place + start.utf8.count
    while found < bytes.count {
      if bytes[found...].starts(with: end.utf8) {
        place = found + end.utf8.count
        return
      }
      found += 1
    }
    throw fault("\(start) does not end.")
  }

  @discardableResult
  private mutating func skipSpace() -> Bool {
    let start = place
    while place < bytes.count, [0x20, 0x9, 0xA, 0xD].contains(bytes[place]) { place += 1 }
    return place > start
  }

  private mutating func name() throws(MarkupFault) -> String {
    let start = place
    let ends = Set(#" /=<>"'&"#.utf8).union([0x9, 0xA, 0xD])
    while place < bytes.count, !ends.contains(bytes[place]) { place += 1 }
    guard place > start else { throw fault("A name is missing.") }
    return String(decoding: bytes[start..<place], as: UTF8.self)
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

  private func fault(_ reason: String) -> MarkupFault {
    let line = bytes[..<min(place, bytes.count)].count { $0 == UInt8(ascii: "\n") } + 1
    return MarkupFault(line: line, reason: reason)
  }
}
