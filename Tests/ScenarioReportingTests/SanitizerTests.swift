import Testing

@testable import ScenarioReporting

@Suite("Text from apps and files is harmless")
struct SanitizerTests {
  @Test(
    "on one line",
    arguments: [
      ("plain <&\">", "plain <&\">"),
      ("é 한국어 👩‍👩‍👧", "é 한국어 👩‍👩‍👧"),
      ("a\nb\r\tc", #"a\nb\r\tc"#),
      ("\u{1B}[2J\u{1}", #"\u{1B}[2J\u{1}"#),
      ("\u{9B}31m", #"\u{9B}31m"#),
      ("abc\u{202E}def", #"abc\u{202E}def"#),
      ("zero\u{FEFF}width\u{2028}", #"zero\u{FEFF}width\u{2028}"#),
    ])
  func line(text: String, shown: String) {
    #expect(Sanitizer.line(text) == shown)
  }

  @Test("on several lines the breaks stay")
  func lines() {
    #expect(Sanitizer.lines("a\u{1B}\nb") == [#"a\u{1B}"#, "b"])
  }

  @Test("and so it is in the console's text of any finding")
  func findings() {
    for finding in [Samples.unexpected, Samples.actionFailed, Samples.crashed] {
      let text = FindingText().lines(finding, in: Samples.result().scenario).joined(separator: "\n")
      #expect(!text.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" })
      #expect(!text.contains("\u{202E}"))
    }
  }
}
