import Foundation

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// Reads XML without a document type: what this program writes as a report, and what others make
/// of it.
package struct MarkupParser {
  /// - Returns: the root; blank text between elements is left out.
  package static func parse(_ bytes: [UInt8]) throws(MarkupFault) -> MarkupElement {
    let data = Data(bytes)
    try refuseDocumentType(in: data)
    // WORKAROUND: on Linux `Data` of some MB is an error
    // (https://github.com/swiftlang/swift-corelibs-foundation/issues/4851); a stream is read in parts.
    let parser = XMLParser(stream: InputStream(data: data))
    parser.shouldResolveExternalEntities = false
    let builder = MarkupBuilder()
    parser.delegate = builder
    let isRead = parser.parse()
    if let fault = builder.fault { throw fault }
    guard isRead, let root = builder.root else {
      throw MarkupFault(line: 1, column: 1, reason: "There is no element.")
    }
    return root
  }

  /// Its entities would be lost: on Linux `XMLParser` tells neither of them nor of the type itself,
  /// and leaves out what they stand for. So it is looked for in all of the file, sections of CDATA
  /// included.
  private static func refuseDocumentType(in data: Data) throws(MarkupFault) {
    // A byte-order mark, or "<" with the zeros of UTF-16 or UTF-32, in which ASCII is the rest.
    let isWide = data.prefix(4).contains { $0 == 0 || $0 >= 0xFE }
    let narrow: Data = isWide ? data.filter { $0 != 0 } : data
    guard let found = narrow.range(of: Data("<!DOCTYPE".utf8)) else { return }
    let lines = narrow[..<found.lowerBound].split(
      separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    throw MarkupFault(
      line: lines.count, column: (lines.last?.count ?? 0) + 1,
      reason: "A document type is not read.")
  }
}

/// Makes a tree of what `XMLParser` tells.
final class MarkupBuilder: NSObject, XMLParserDelegate {
  private static let depthLimit = 100

  private(set) var root: MarkupElement?
  /// The first one: on Linux the parser goes on behind it, and may end as if all were well.
  private(set) var fault: MarkupFault?
  /// The elements that are open, outermost first.
  private var open: [MarkupElement] = []
  /// What has been read of the text that is next; it comes in pieces.
  private var text = ""

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
    qualifiedName: String?, attributes: [String: String]
  ) {
    addText(isLast: false)
    guard open.count < Self.depthLimit else {
      return stop(parser, "The elements lie too deep.")
    }
    let sorted = attributes.sorted { $0.key < $1.key }
    open.append(MarkupElement(name, sorted.map { .init(name: $0.key, value: $0.value) }))
  }

  func parser(
    _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
  ) {
    addText(isLast: true)
    guard let element = open.popLast() else { return }
    if let last = open.indices.last {
      open[last].children.append(.element(element))
    } else {
      root = element
    }
  }

  func parser(_ parser: XMLParser, foundCharacters string: String) {
    text += string
  }

  func parser(_ parser: XMLParser, foundCDATA block: Data) {
    text += String(decoding: block, as: UTF8.self)
  }

  func parser(_ parser: XMLParser, parseErrorOccurred error: any Error) {
    stop(parser, reason(ofCode: (error as NSError).code))
  }

  /// Blank text beside an element is layout alone.
  private func addText(isLast: Bool) {
    defer { text = "" }
    guard let last = open.indices.last, !text.isEmpty else { return }
    let isLayout = !isLast || !open[last].elements.isEmpty
    if isLayout, text.utf8.allSatisfy({ " \t\r\n".utf8.contains($0) }) { return }
    open[last].children.append(.text(text))
  }

  private func stop(_ parser: XMLParser, _ reason: String) {
    guard fault == nil else { return }
    fault = MarkupFault(
      line: max(parser.lineNumber, 1), column: max(parser.columnNumber, 1), reason: reason)
    parser.abortParsing()
  }

  private func reason(ofCode code: Int) -> String {
    switch code {
    // The end of the document, at the wrong place.
    case 5:
      if let element = open.last { return "The file ends before <\(element.name)> is closed." }
      return root == nil ? "There is no element." : "There is more behind the root element."
    case 76: return "<\(open.last?.name ?? "")> is not closed by its own end tag."
    default: return MarkupFault.reason(ofCode: code)
    }
  }
}

/// Why a file isn't valid XML that can be read.
package struct MarkupFault: Error, Equatable, CustomStringConvertible {
  /// From 1.
  package var line: Int
  /// From 1.
  package var column: Int
  package var reason: String

  package var description: String { "line \(line), column \(column): \(reason)" }
}

extension MarkupFault {
  /// What an error of `XMLParser` means, by its code, where that does not depend on what is open.
  ///
  /// The codes are those of libxml2. `XMLParser.ErrorCode` has the same on Apple's systems, but
  /// others on Linux, where its cases are counted from 0.
  static func reason(ofCode code: Int) -> String {
    switch code {
    case 4: "There is text before the root element."
    case 9: "A character is not one that XML allows, or the file is not in its encoding."
    case 22, 23, 26: "\"&\" begins no reference that is known."
    case 31, 32, 79, 81: "The file is not in the encoding that it names, or that is not known."
    case 38: "The value of an attribute has a \"<\"."
    case 39: "The value of an attribute is not in quotes."
    case 40: "The value of an attribute does not end."
    case 41: "An attribute has no value."
    case 42: "An attribute is there twice."
    case 45: "A comment does not end."
    case 62: "\"]]>\" is not allowed in text."
    case 63: "A CDATA section does not end."
    case 68: "A name is missing."
    case 65, 73: "A tag does not end as it should."
    default: "It is not as XML wants it (error \(code) of libxml2)."
    }
  }
}
