import Foundation
import Testing

@testable import ScenarioReporting

#if canImport(FoundationXML)
  import FoundationXML
#endif

@Suite("XML is read")
struct MarkupParserTests {
  private func parse(_ text: String) throws(MarkupFault) -> MarkupElement {
    try MarkupParser.parse(Array(text.utf8))
  }

  @Test("as FoundationXML reads it, hostile text included")
  func same() throws {
    let text = JUnitReport(Samples.run).text
    let other = try XMLDocument(xmlString: text)
    let root = try parse(text)
    #expect(root == other.rootElement().map(element))
    #expect(try parse(root.text()) == root)
  }

  private func element(_ element: XMLElement) -> MarkupElement {
    let attributes = (element.attributes ?? []).map {
      MarkupElement.Attribute(name: $0.name ?? "", value: $0.stringValue ?? "")
    }
    let inner = (element.children ?? []).compactMap { $0 as? XMLElement }.map(self.element)
    let text = element.stringValue ?? ""
    let children: [MarkupElement.Child] =
      inner.isEmpty && !text.isEmpty ? [.text(text)] : inner.map { .element($0) }
    return MarkupElement(element.name ?? "", attributes, children)
  }

  @Test("with all that XML allows around and between")
  func forms() throws {
    let root = try parse(
      """
      \u{FEFF}<?xml version="1.0"?><!-- a > b -->
      <a  x = '1 "2"' y="&lt;&#x41;&#66;&amp;é
      z&#10;" ><b/><c>one &gt;\r\ntwo<![CDATA[<&]]>&#x1F600;</c ></a>
      <!-- end -->

      """)
    #expect(root["x"] == #"1 "2""#)
    #expect(root["y"] == "<AB&é z\n")
    #expect(root.elements.map(\.name) == ["b", "c"])
    let texts = root.elements[1].children.map { child in
      if case .text(let text) = child { text } else { "" }
    }
    #expect(texts.joined() == "one >\ntwo<&😀")
  }

  @Test(
    "and what is wrong is said with its line",
    arguments: [
      ("", "line 1: There is no element."), ("text", "line 1: There is text outside"),
      ("<a>\n<b></a>", "line 2: </a> closes nothing."), ("<a>\n", "line 2: <a> is not closed."),
      ("<a/><b/>", "line 1: There is more than one root element."),
      ("<a x=1/>", "line 1: The value of x is not in quotes."),
      ("<a x='1' x='2'/>", "line 1: <a> has x twice."), ("<a x/>", "line 1: x has no value."),
      ("<a>&nbsp;</a>", #"line 1: "&" begins no reference that is known."#),
      ("<a>&\u{301};</a>", #"line 1: "&" begins no reference that is known."#),
      ("<a", "line 1: <a> is not as XML wants it."), ("<!-- ", "line 1: <!-- does not end."),
      ("<!DOCTYPE a [<!ENTITY b 'c'>]>\n<a>&b;</a>", "line 1: A document type is not read."),
      (String(repeating: "<a>", count: 200), "line 1: The elements lie too deep."),
    ])
  func faults(text: String, message: String) {
    let fault = #expect(throws: MarkupFault.self) { try parse(text) }
    #expect(fault?.description.hasPrefix(message) == true, "\(String(describing: fault))")
  }

  @Test("bytes that are not UTF-8 are no text")
  func encoding() {
    #expect(throws: MarkupFault(line: 1, reason: "The file is not UTF-8.")) {
      try MarkupParser.parse([0x3C, 0xFF, 0x3E])
    }
  }
}
