import Foundation
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

  @Test(
    "and no CI server takes it for a command, wherever it comes in a line",
    arguments: [
      ("::error::x", #"\u{3A}:error::x"#),
      ("  ::add-mask::x", #"  \u{3A}:add-mask::x"#),
      ("\u{3000}::x", "\u{3000}" + #"\u{3A}:x"#),
      ("a\n::x", #"a\n::x"#),
      ("##vso[task.complete]", ##"#\u{23}vso[task.complete]"##),
      ("a ##[error]b ##teamcity[c]", ##"a #\u{23}[error]b #\u{23}teamcity[c]"##),
      ("###[x]", ##"##\u{23}[x]"##),
      // What follows or stands before in the line may complete these.
      ("#[error]", #"\u{23}[error]"#),
      ("a##", ##"a#\u{23}"##),
      ("a##vso", ##"a#\u{23}vso"##),
      // Harmless.
      ("std::vector, C#, #tag, ## title", "std::vector, C#, #tag, ## title"),
      ("a #[1]", "a #[1]"),
    ])
  func commands(text: String, shown: String) {
    #expect(Sanitizer.line(text) == shown)
  }

  @Test("also where a long text is broken")
  func brokenCommands() {
    let words = "\(String(repeating: "word ", count: 8))::error::x"
    #expect(WordWrap.lines(words, width: 40).last == #"\u{3A}:error::x"#)
    let url = "https://a.example.com/12345678901234567890::error::forged"
    for width in 20..<60 {
      let lines = URLText.lines(url, width: width)
      #expect(!lines.contains { $0.trimmingPrefix(while: \.isWhitespace).hasPrefix("::") })
    }
  }

  @Test("on several lines the breaks stay")
  func lines() {
    #expect(Sanitizer.lines("a\u{1B}\nb") == [#"a\u{1B}"#, "b"])
    #expect(Sanitizer.lines("a\r\nb\rc\r\n") == ["a", #"b\rc"#, ""])
  }

  @Test(
    "escapes of terminals are removed, and of one that does not end only the beginning",
    arguments: [
      ("a\u{1B}[31mb\u{1B}[0m", "ab"),
      ("a\u{1B}]0;title\u{7}b\u{1B}]8;;url\u{1B}\\c", "abc"),
      ("a\u{1B}Pdevice\u{1B}\\b\u{1B}_program\u{1B}\\c\u{1B}^private\u{1B}\\d", "abcd"),
      ("a\u{1B}Xstring\u{1B}\\b", "ab"),
      ("a\n\u{1B}]0;no end\nthe error\u{7}", "a\n0;no end\nthe error\u{7}"),
      ("a\r\n\u{1B}]0;no end\r\nthe error\u{7}", "a\r\n0;no end\r\nthe error\u{7}"),
      ("\u{1B}Pno end\r\nthe error\u{1B}\\", "no end\r\nthe error"),
      ("\u{1B}]0;no end", "0;no end"),
    ])
  func terminalEscapes(text: String, shown: String) {
    #expect(TerminalEscapes.removed(from: text) == shown)
  }

  @Test("and so it is in the console's text of any finding")
  func findings() {
    for finding in [Samples.unexpected, Samples.actionFailed, Samples.crashed] {
      let text = FindingText(Outlet()).lines(finding, in: Samples.result().scenario).joined(
        separator: "\n")
      #expect(!text.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" })
      #expect(!text.contains("\u{202E}"))
    }
  }
}
