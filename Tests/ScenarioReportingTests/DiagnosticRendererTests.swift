import ScenarioReporting
import SourceText
import Testing

@Suite struct DiagnosticRendererTests {
  private func rendered(
    _ text: String, _ range: Range<Int>, width: Int = 100, colored: Bool = false
  ) -> String {
    let file = SourceFile(path: "a.json", text: text)
    let diagnostic = Diagnostic(
      "It is wrong.", at: SourceLocation(file: file, range: range), suggestions: ["right"])
    return DiagnosticRenderer(isColored: colored, width: width).render([diagnostic])
  }

  @Test("The carets stand under the exact span")
  func carets() {
    #expect(
      rendered("{\n\t\"한글\": \"wrong\" }", 13..<20) == """
        a.json:2:8: error: It is wrong.
           2 |     "한글": "wrong" }
             |             ^^^^^^^ did you mean "right"?

        """)
  }

  @Test("A span at the end of the file has one caret")
  func endOfFile() {
    #expect(
      rendered("{\r\n[", 4..<4) == """
        a.json:2:2: error: It is wrong.
           2 | [
             |  ^ did you mean "right"?

        """)
  }

  @Test("A very long line is cut around the span")
  func longLine() {
    let text = String(repeating: "a", count: 500_000) + "WRONG" + String(repeating: "b", count: 900)
    let lines = rendered(text, 500_000..<500_005, width: 50).split(separator: "\n")
    #expect(lines[1] == "   1 | …aaaaaaaaaaaaaaWRONGbbbbbbbbbbbbbbbbbbbbbb…")
    #expect(lines[2].hasPrefix("     |                ^^^^^ did"))
  }

  @Test("What a terminal would obey is shown, not carried out")
  func harmless() {
    #expect(
      rendered("\u{1B}[2J\u{202E}x", 7..<8) == """
        a.json:1:6: error: It is wrong.
           1 | \\u{1B}[2J\\u{202E}x
             |                  ^ did you mean "right"?

        """)
  }

  @Test("A command to a CI server is shown as none, whatever bytes stand before it")
  func commandAfterInvalidBytes() {
    let bytes = Array("{\"z".utf8) + [0xFF, 0xE2, 0x82] + Array(" ##vso[x]\": wrong".utf8)
    let file = SourceFile(path: "a.json", bytes: bytes)
    let end = bytes.count
    let diagnostic = Diagnostic("No.", at: SourceLocation(file: file, range: end - 5..<end))
    let lines = DiagnosticRenderer().render([diagnostic]).split(separator: "\n").map(String.init)
    #expect(lines[1] == "   1 | {\"z\u{FFFD}\u{FFFD} #\\u{23}vso[x]\": wrong")
    #expect(lines[2] == "     | " + String(repeating: " ", count: 22) + "^^^^^")
  }

  @Test("With colour, only styles are added")
  func colored() {
    let text = rendered("[1]", 1..<2, colored: true)
    #expect(text.contains("\u{1B}[31merror:\u{1B}[0m"))
    #expect(text.replacing(/\u{1B}\[[0-9;]*m/, with: "") == rendered("[1]", 1..<2))
  }

  @Test("Notes follow with their own place")
  func notes() {
    let file = SourceFile(path: "a.json", text: "[1, 2]")
    let diagnostic = Diagnostic(
      "Twice.", at: SourceLocation(file: file, range: 4..<5),
      notes: [.init("First.", at: SourceLocation(file: file, range: 1..<2))])
    #expect(
      DiagnosticRenderer().render([diagnostic]) == """
        a.json:1:5: error: Twice.
           1 | [1, 2]
             |     ^
        a.json:1:2: note: First.
           1 | [1, 2]
             |  ^

        """)
  }

  @Test(
    "Suggestions are what is close, best first",
    arguments: [
      ("tpa", ["tap"]), ("waitForExistance", ["waitForExistence"]), ("TAP", ["tap"]),
      ("zzz", []), ("doubletab", ["doubleTap"]),
    ])
  func suggestions(word: String, expected: [String]) {
    let names = ["tap", "doubleTap", "waitForExistence", "waitForNonExistence", "swipe"]
    #expect(Suggestions.closest(to: word, among: names) == expected)
  }
}
