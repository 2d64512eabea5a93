/// Reads XML 1.0 in UTF-8 without a document type: what this program writes as a report, and what
/// others make of it.
///
/// Not FoundationXML, which takes every start of the program 1.6 ms to load, whatever it is to do. A
/// document type is refused: so there is no entity to expand and no file to fetch.
package struct MarkupParser {
  private static let depthLimit = 100

  private var input: MarkupScanner
  /// The elements that are open, outermost first.
  private var open: [MarkupElement] = []
  private var root: MarkupElement?

  /// - Returns: the root.
  package static func parse(_ bytes: [UInt8]) throws(MarkupFault) -> MarkupElement {
    var parser = MarkupParser(input: MarkupScanner(bytes))
    guard String(validating: bytes, as: UTF8.self) != nil else {
      throw parser.input.fault("The file is not UTF-8.")
    }
    return try parser.document()
  }

  private init(input: MarkupScanner) {
    self.input = input
  }

  private mutating func document() throws(MarkupFault) -> MarkupElement {
    _ = input.take("\u{FEFF}")
    while !input.isAtEnd { try readNext() }
    if let last = open.last { throw input.fault("<\(last.name)> is not closed.") }
    guard let root else { throw input.fault("There is no element.") }
    return root
  }

  /// Reads one piece of markup or text.
  private mutating func readNext() throws(MarkupFault) {
    if input.take("<!--") {
      _ = try input.takeUntil("-->", from: "<!--")
    } else if input.take("<?") {
      _ = try input.takeUntil("?>", from: "<?")
    } else if input.take("<![CDATA[") {
      try add(try input.takeUntil("]]>", from: "<![CDATA["))
    } else if input.take("<!") {
      throw input.fault("A document type is not read.")
    } else if input.take("</") {
      try readEndTag()
    } else if input.take("<") {
      try readStartTag()
    } else {
      try add(try input.takeText())
    }
  }

  private mutating func readStartTag() throws(MarkupFault) {
    var element = MarkupElement(try input.takeName())
    while true {
      let isSpaced = input.takeSpace()
      if input.take("/>") { return try add(element) }
      if input.take(">") {
        guard open.count < Self.depthLimit else { throw input.fault("The elements lie too deep.") }
        return open.append(element)
      }
      guard isSpaced else { throw input.fault("<\(element.name)> is not as XML wants it.") }
      let attribute = try readAttribute()
      guard element[attribute.name] == nil else {
        throw input.fault("<\(element.name)> has \(attribute.name) twice.")
      }
      element.attributes.append(attribute)
    }
  }

  private mutating func readAttribute() throws(MarkupFault) -> MarkupElement.Attribute {
    let name = try input.takeName()
    input.takeSpace()
    guard input.take("=") else { throw input.fault("\(name) has no value.") }
    input.takeSpace()
    return MarkupElement.Attribute(name: name, value: try input.takeValue(of: name))
  }

  private mutating func readEndTag() throws(MarkupFault) {
    let name = try input.takeName()
    input.takeSpace()
    guard input.take(">"), let element = open.popLast(), element.name == name else {
      throw input.fault("</\(name)> closes nothing.")
    }
    try add(element)
  }

  private mutating func add(_ element: MarkupElement) throws(MarkupFault) {
    guard let last = open.indices.last else {
      guard root == nil else { throw input.fault("There is more than one root element.") }
      root = element
      return
    }
    // Blank text between elements is layout alone.
    if case .text(let text)? = open[last].children.last, Self.isBlank(text) {
      open[last].children.removeLast()
    }
    open[last].children.append(.element(element))
  }

  private mutating func add(_ text: String) throws(MarkupFault) {
    let isBlank = Self.isBlank(text)
    guard let last = open.indices.last else {
      if isBlank { return }
      throw input.fault("There is text outside of the root element.")
    }
    if case .element? = open[last].children.last, isBlank { return }
    if !text.isEmpty { open[last].children.append(.text(text)) }
  }

  private static func isBlank(_ text: String) -> Bool {
    text.utf8.allSatisfy(MarkupScanner.isSpace)
  }
}
