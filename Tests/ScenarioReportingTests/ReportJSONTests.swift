import Foundation
import JSON
import Testing

@testable import ScenarioReporting

@Suite("JSON of the reports")
struct ReportJSONTests {
  @Test(
    "gives every text back to a parser, without a raw character that is obeyed",
    arguments: [
      "plain", "<", "\"", "&", "\u{1}", "]]>", "</script>", "a\nb\r\tc", "%", "::", "\\", "\u{7F}",
      "\u{1B}[2J", "\u{202E}abc", "\u{2028}", "##vso[x] \u{9B}", "\u{10FFFF}", "é한👩‍👩‍👧", "\u{E000}",
      "",
    ])
  func text(text: String) throws {
    let line = JSONValue.array([.string(text)]).line(through: Outlet())
    let read = try JSONSerialization.jsonObject(with: Data(line)) as? [String]
    #expect(read?.first.map { Array($0.utf8) } == Array(text.utf8))
    let raw = String(decoding: line, as: UTF8.self).unicodeScalars
    #expect(!raw.contains { $0.value < 0x20 || $0.value == 0x7F || $0 == "\u{202E}" })
    #expect(!String(decoding: line, as: UTF8.self).contains("##"))
  }
}
