import Foundation
import Testing

@testable import ScenarioReporting

@Suite("XML is read")
struct MarkupParserTests {
  private func parse(_ text: String) throws(MarkupFault) -> MarkupElement {
    try MarkupParser.parse(Array(text.utf8))
  }

  @Test("and written again as it was, hostile text included")
  func same() throws {
    let root = try parse(JUnitReport(Samples.run).text)
    #expect(try parse(root.text()) == root)
    let output = root.elements[0].elements[1].elements(named: "system-out").first
    #expect(output?.content == "out <&\">]]>'\nline\u{202E}é한")
  }

  @Test("with all that XML allows around and between")
  func forms() throws {
    let root = try parse(
      """
      \u{FEFF}<?xml version="1.0"?><!-- a > b -->
      <a  y="&lt;&#x41;&#66;&amp;é
      z&#10;&#9;&#13;" x = '1 "2"' ><b> </b><c>one &gt;\r\ntwo<![CDATA[<&]]]]><![CDATA[>]]>&#x1F600;</c ></a>
      <!-- end -->

      """)
    #expect(root.attributes.map(\.name) == ["x", "y"])
    #expect(root["x"] == #"1 "2""#)
    #expect(root["y"] == "<AB&é z\n\t\r")
    #expect(root.elements.map(\.name) == ["b", "c"])
    #expect(root.elements.map(\.content) == [" ", "one >\ntwo<&]]>😀"])
  }

  @Test("in whichever encoding it has", arguments: [String.Encoding.utf16, .utf16BigEndian, .utf8])
  func encodings(encoding: String.Encoding) throws {
    let name = encoding == .utf8 ? "UTF-8" : "UTF-16"
    let text = "<?xml version=\"1.0\" encoding=\"\(name)\"?>\n<a b=\"é\">한😀</a>"
    let root = try MarkupParser.parse(Array(try #require(text.data(using: encoding))))
    #expect(root == MarkupElement("a", [.init(name: "b", value: "é")], [.text("한😀")]))
    #expect(
      try MarkupParser.parse(
        Array("<?xml version='1.0' encoding='ISO-8859-1'?><a>".utf8) + [0xE9]
          + Array("</a>".utf8)
      ).content == "é")
  }

  @Test("wherever it is cut into parts", arguments: 0..<16)
  func parts(shift: Int) throws {
    let count = 30_000
    let text = String(repeating: "é한😀\r\n&amp;", count: count)
    let section = String(repeating: "é한😀]\n", count: count)
    let value = String(repeating: "é한😀&#10;", count: count)
    let start = String(repeating: "x", count: shift)
    let root = try parse(
      "<a><b>\(start)\(text)</b><b>\(start)<![CDATA[\(section)]]></b><b c='\(start)\(value)'/></a>")
    let read = root.elements.map { $0["c"] ?? $0.content }
    let expected = ["é한😀\n&", "é한😀]\n", "é한😀\n"].map {
      start + String(repeating: $0, count: count)
    }
    // Not `read == expected`: what would be printed is long.
    #expect(zip(read, expected).map { $0 == $1 } == [true, true, true])
  }

  @Test("however long it is")
  func long() throws {
    let text = String(repeating: "A line of output\n", count: 700_000)
    let root = try parse("<a><b>\(text)</b></a>")
    #expect(root.elements.map { $0.content == text } == [true])
  }

  @Test(
    "and what is wrong is said with its place",
    arguments: [
      ("", "line 1, column 1: There is no element."),
      ("<!-- a -->\n", "line 2, column 1: There is no element."),
      ("plain text", "line 1, column 1: There is text before the root element."),
      ("<a>\n<b></a>", "line 2, column 8: <b> is not closed by its own end tag."),
      ("<a>\n", "line 1, column 4: The file ends before <a> is closed."),
      ("<a>\n<b>torn", "line 2, column 8: The file ends before <b> is closed."),
      ("<a>\n<b", "line 2, column 3: A tag does not end"),
      ("<a>\n<b c='", "line 2, column 7: The value of an attribute does not end."),
      ("<a/>\n<b/>", "line 2, column 1: There is more behind the root element."),
      ("<a x=1/>", "line 1, column 6: The value of an attribute is not in quotes."),
      ("<a x='1' x='2'/>", "line 1, column 15: An attribute is there twice."),
      ("<a x/>", "line 1, column 5: An attribute has no value."),
      ("<a x='<'/>", #"line 1, column 7: The value of an attribute has a "<"."#),
      ("<a>&nbsp;</a>", #"line 1, column 10: "&" begins no reference that is known."#),
      ("<a>&\u{301};</a>", "line 1, column 5: A name is missing."),
      ("<a>]]></a>", #"line 1, column 4: "]]>" is not allowed in text."#),
      ("<a>\u{1}</a>", "line 1, column 4: A character is not one that XML allows"),
      ("<a>&#1;</a>", "line 1, column 8: A character is not one that XML allows"),
      ("<!-- ", "line 1, column 6: A comment does not end."),
      ("<?xml version='1.0' encoding='none'?><a/>", "line 1, column 36: The file is not in the"),
      ("<?xml version='1.0' encoding='UTF-16'?><a/>", "line 1, column 38: The file is not in the"),
      (String(repeating: "<a>", count: 200), "line 1, column 303: The elements lie too deep."),
    ])
  func faults(text: String, message: String) {
    let fault = #expect(throws: MarkupFault.self) { try parse(text) }
    #expect(fault?.description.hasPrefix(message) == true, "\(String(describing: fault))")
  }

  @Test("bytes that aren't a text are a fault")
  func noText() {
    let fault = #expect(throws: MarkupFault.self) {
      try MarkupParser.parse(Array("<a>\n".utf8) + [0xFF, 0xFE] + Array("</a>".utf8))
    }
    #expect(fault?.description.hasPrefix("line 2, column 1: A character is not") == true)
  }

  @Test(
    "without a document type, which could be a bomb, open files or hide text",
    arguments: [
      "<!DOCTYPE a>\n<a/>",
      "<!-- <a> --><!DOCTYPE a [<!ENTITY b 'c'>]>\n<a>&b;</a>",
      "<!DOCTYPE a [<!ENTITY b SYSTEM 'file:///etc/passwd'>]>\n<a>&b;</a>",
      "<!DOCTYPE a SYSTEM 'file:///etc/passwd'>\n<a/>",
      "<!DOCTYPE a [<!ENTITY % b SYSTEM 'file:///etc/passwd'> %b;]>\n<a/>",
      "<!DOCTYPE a [<!ENTITY a0 'lol'>"
        + (1...9).map { level in
          "<!ENTITY a\(level) '\(String(repeating: "&a\(level - 1);", count: 10))'>"
        }.joined() + "]>\n<a>&a9;</a>",
    ])
  func documentType(text: String) throws {
    for encoding in [String.Encoding.utf8, .utf16, .utf16BigEndian, .utf32LittleEndian] {
      let bytes = Array(try #require(("\n" + text).data(using: encoding)))
      let fault = #expect(throws: MarkupFault.self) { try MarkupParser.parse(bytes) }
      #expect(fault?.line == 2 && fault?.reason == "A document type is not read.")
    }
  }
}
