import Foundation
import Testing

@testable import ScenarioReporting

@Suite("JSON of the reports")
struct OrderedJSONTests {
  @Test(
    "gives every text back to a parser, without a raw character that is obeyed",
    arguments: [
      "plain", "<", "\"", "&", "\u{1}", "]]>", "</script>", "a\nb\r\tc", "%", "::", "\\", "\u{7F}",
      "\u{1B}[2J", "\u{202E}abc", "\u{2028}", "\u{10FFFF}", "é한👩‍👩‍👧", "\u{E000}", "",
    ])
  func text(text: String) throws {
    let line = OrderedJSON.array([.string(text)]).line()
    let read = try JSONSerialization.jsonObject(with: Data(line)) as? [String]
    #expect(read?.first.map { Array($0.utf8) } == Array(text.utf8))
    let raw = String(decoding: line, as: UTF8.self).unicodeScalars
    #expect(!raw.contains { $0.value < 0x20 || $0.value == 0x7F || $0 == "\u{202E}" })
  }

  @Test("keeps the order of members, and leaves out those that are nil")
  func members() {
    let object: OrderedJSON = [
      "z": 1, "a": nil, "b": ["c": true], "d": .number(0.5), "e": .number(.infinity), "f": .null,
    ]
    let text = String(decoding: object.line(), as: UTF8.self)
    #expect(text == #"{"z":1,"b":{"c":true},"d":0.5,"e":null,"f":null}"#)
  }
}
