import ScenarioReporting
import SourceText
import Testing

@Suite struct JSONParserTests {
  @Test("Comments and trailing commas are accepted, places kept")
  func relaxedJSON() throws {
    let text = """
      // first
      { "a": [1, 2.5e3, -0,], /* in
      between */ "b": "x\\u00e9\\ud83d\\ude00\\n", "a": null, }
      """
    let (node, diagnostics) = JSONParser.parse(SourceFile(path: "f.json", text: text))
    #expect(diagnostics.isEmpty)
    let members = try #require(node?.objectValue)
    #expect(members.map(\.key) == ["a", "b", "a"])
    #expect(members[1].value.stringValue == "xé😀\n")
    #expect(members[2].keyLocation.description == "f.json:3:42")
    #expect(members[0].value.arrayValue?.map(\.numberText) == ["1", "2.5e3", "-0"])
  }

  @Test("A byte-order mark isn't part of the text")
  func byteOrderMark() {
    let file = SourceFile(path: "f", bytes: SourceFile.byteOrderMark + Array("[tru]".utf8))
    let (_, diagnostics) = JSONParser.parse(file)
    #expect(
      DiagnosticRenderer().render(diagnostics) == """
        f:1:2: error: "tru" isn't a JSON value. A string is written in double quotes.
           1 | [tru]
             |  ^^^ did you mean "true"?

        """)
  }

  @Test(
    "Mistakes are reported where they are, once, and reading goes on",
    arguments: MalformedJSON.samples)
  func mistakes(sample: MalformedJSON) {
    let (node, diagnostics) = JSONParser.parse(SourceFile(path: "f", text: sample.text))
    let lines = diagnostics.map { diagnostic in
      let range = diagnostic.location?.range ?? 0..<0
      return "\(range.lowerBound)-\(range.upperBound) \(diagnostic.message)"
    }
    #expect(lines == sample.messages)
    #expect((node != nil) == sample.isUsable)
  }

  @Test("Nesting without end is reported, not followed")
  func deepNesting() {
    for unit in ["[", "{\"a\":"] {
      let text = String(repeating: unit, count: 100_000)
      let (node, diagnostics) = JSONParser.parse(SourceFile(path: "f", text: text))
      #expect(node == nil)
      #expect(diagnostics.map(\.message) == ["The brackets are nested deeper than 200 levels."])
    }
  }

  @Test("Bytes that aren't valid UTF-8 are reported at their place")
  func invalidEncoding() {
    let file = SourceFile(path: "f", bytes: Array("[\"".utf8) + [0xE9] + Array("\"]".utf8))
    let (node, diagnostics) = JSONParser.parse(file)
    #expect(node == nil)
    #expect(
      diagnostics.map(\.message) == ["The byte 0xE9 isn't valid UTF-8. Save the file as UTF-8."])
    #expect(diagnostics.first?.location?.range == 2..<3)
  }

  @Test("Any beginning of a file and any file without one byte is read without a trap")
  func mutilatedFiles() {
    let bytes = Array(
      #"{"a": [1, "x\u00e9", {"b": true}], 'c': “d”, e: -1.5e+3, /* f */ "g": nul } // h"#.utf8)
    for count in bytes.indices {
      _ = JSONParser.parse(SourceFile(path: "f", bytes: Array(bytes[..<count])))
      var holed = bytes
      holed.remove(at: count)
      let (_, diagnostics) = JSONParser.parse(SourceFile(path: "f", bytes: holed))
      _ = DiagnosticRenderer().render(diagnostics)
      for byte in [UInt8(ascii: "{"), UInt8(ascii: "]"), UInt8(ascii: "\""), 0, 0xFF] {
        var changed = bytes
        changed[count] = byte
        let (_, diagnostics) = JSONParser.parse(SourceFile(path: "f", bytes: changed))
        _ = DiagnosticRenderer().render(diagnostics)
      }
    }
  }
}
