import Foundation
import Testing

@testable import ScenarioReporting

@Suite("A secret value is masked")
struct SecretMaskingTests {
  private static let secret = #"p/q "r+s%t"#
  private let masking = Masking(secrets: [secret])

  @Test(
    "as it is, and however it is escaped",
    arguments: [
      secret, "p%2Fq%20%22r%2Bs%25t", "p%2fq+%22r%2bs%25t", "p%252Fq%2520%2522r%252Bs%2525t",
      #"p\/q \"r+s%t"#, #"p\u002Fq \u0022r+s%t"#, #"p\\\/q \\\"r+s%t"#, "p/q &quot;r+s%t",
      #"p/q \u{22}r+s%t"#, #"p/q \x22r+s%t"#,
    ])
  func escaped(text: String) {
    #expect(masking.masked("a \(text) b") == "a *** b")
    #expect(masking.masked(text + text) == "***")
  }

  @Test("inside what was encoded in Base64, wherever it begins", arguments: ["", "u", "us", "use"])
  func base64(user: String) {
    let value = "0123456789abcdef"
    let encoded = Data("\(user)\(value):more".utf8).base64EncodedString()
    let masked = Masking(secrets: [value]).masked("Basic \(encoded)")
    #expect(masked.contains("***") && masked.utf8.count < 24, "\(masked)")
  }

  @Test(
    "also where the Base64 is broken into lines",
    arguments: ["\n", "\r\n", #"\n"#, #"\r\n"#, #"\\n"#, "%0A", "\n    "])
  func brokenBase64(lineBreak: String) {
    let value = "correct horse battery staple"
    let encoded = Data("some user of a service:\(value):and more to come".utf8)
      .base64EncodedString()
    for width in [4, 20, 76] {
      let text = stride(from: 0, to: encoded.count, by: width)
        .map { String(encoded.dropFirst($0).prefix(width)) }.joined(separator: lineBreak)
      let masked = Masking(secrets: [value]).masked(text)
      #expect(masked.contains("***") && !masked.contains("ob3Jz"), "\(masked)")
      #expect(masked.utf8.count < text.utf8.count - 30, "\(masked)")
    }
  }

  @Test("and that of a value of four characters", arguments: ["", "u", "us", "use"])
  func shortBase64(user: String) {
    let encoded = Data("\(user)48+5:more".utf8).base64EncodedString()
    #expect(Masking(secrets: ["48+5"]).masked(encoded).contains("***"))
  }

  @Test(
    "where characters that a report leaves out stand inside it",
    arguments: [
      "\u{1B}[31m", "\u{9B}1;4m", "\u{1B}]8;;https://a.example.com\u{1B}\\", "\u{1B}(B", "\0",
      "\u{8}", "\u{7F}", "\u{FFFE}", "\u{200B}", "\u{1B}[1m\0\u{1B}[0m",
    ])
  func broken(by removed: String) {
    let masking = Masking(secrets: ["mysupersecretpassword"])
    let text = "한 mysuper\(removed)secretpassword, \(removed)x"
    #expect(masking.masked(text) == "한 ***, \(removed)x")
    #expect(masking.maskedWords(text) == "한 ***, \(removed)x")
    #expect(XMLText.escaped(masking.masked(text)).contains("***, "))
  }

  @Test("so that no report joins what was apart")
  func joined() {
    let masking = Masking(secrets: ["mysupersecret", "zzzz"])
    #expect(!XMLText.escaped(masking.masked("mysuper\u{1B}[zzzzXsecret")).contains("mysupersecret"))
  }

  @Test("also without the line break at its end, and each of its lines")
  func lines() {
    let masking = Masking(secrets: ["first line\nsecond line\n"])
    #expect(masking.masked("first line\nsecond line") == "***")
    #expect(masking.masked("then second line.") == "then ***.")
  }

  @Test("and overlapping ones leave nothing of each other")
  func overlapping() {
    let masking = Masking(secrets: ["abcdef", "defghi", "abcd"])
    #expect(masking.masked("abcdefghi abcd defghi") == "*** *** ***")
  }

  @Test("where it is short, as a word of its own alone")
  func short() {
    let masking = Masking(secrets: ["ab"])
    #expect(masking.masked("ab cab abc (ab) x=ab&y") == "*** cab abc (***) x=***&y")
  }

  @Test("but an empty one masks nothing", arguments: ["", " \n"])
  func empty(value: String) {
    #expect(Masking(secrets: [value]).masked("some text") == "some text")
  }

  @Test("where it was cut before it came here")
  func cut() {
    let masking = Masking(secrets: ["0123456789"])
    #expect(masking.masked("line 0123456… (9 more bytes)") == "line ***… (9 more bytes)")
    #expect(masking.masked("line 012… and") == "line 012… and")
  }

  @Test("in bounded time, whatever the secret is made of")
  func expensive() {
    let masking = Masking(secrets: [String(repeating: #"\"#, count: 40) + "x"])
    let text = String(repeating: #"\"#, count: 500)
    #expect(masking.masked(text) == text)
  }

  @Test("in text that is no UTF-8")
  func bytes() {
    let bytes: [UInt8] = [0xFF] + Array("token".utf8) + [0xFE]
    #expect(Masking(secrets: ["token"]).masked(bytes) == [0xFF] + Array("***".utf8) + [0xFE])
  }
}
