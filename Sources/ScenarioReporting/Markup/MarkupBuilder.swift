import Foundation

#if canImport(FoundationXML)
  import FoundationXML
#endif

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
