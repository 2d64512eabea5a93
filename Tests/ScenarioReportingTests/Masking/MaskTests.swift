import Foundation
import Testing

@testable import ScenarioReporting

@Suite("A secret value is masked")
struct MaskTests {
  private static let secret = #"p/q "r+s%t&한"#

  @Test(
    "as it is, and escaped as in a URL, in JSON or in XML",
    arguments: [
      secret, "p%2Fq%20%22r%2Bs%25t%26%ED%95%9C", "p%2fq+%22r%2bs%25t%26%ed%95%9c",
      "p/q%20%22r+s%25t&%ED%95%9C", #"p\/q \"r+s%t&한"#, #"p/q \u0022r+s%t\u0026\ud55c"#,
      "p/q &quot;r+s%t&amp;한", "p/q &#34;r+s%t&amp;한",
    ])
  func escaped(text: String) {
    let mask = Mask([Self.secret])
    #expect(mask.masked("a \(text) b") == "a *** b")
    #expect(mask.masked(text + text) == "***")
  }

  @Test("with a character outside of the basic plane, as JSON escapes it")
  func surrogates() {
    #expect(Mask(["key🔑key"]).masked(#"a key\ud83d\udd11key b"#) == "a *** b")
  }

  @Test(
    "inside what was encoded in Base64, wherever it begins, in both alphabets",
    arguments: ["", "u", "us", "use"], ["0123456789abcdef", "48+5", "?>?>?>?>"])
  func base64(user: String, value: String) {
    let encoded = Data("\(user)\(value):more".utf8).base64EncodedString()
    for text in [encoded, encoded.replacing("+", with: "-").replacing("/", with: "_")] {
      let masked = Mask([value]).masked("Basic \(text)")
      #expect(masked.contains("***") && masked.utf8.count < 24, "\(masked)")
    }
  }

  @Test("also without the line break at its end, and each of its lines")
  func lines() {
    let mask = Mask(["first line\nsecond line\n}\n"])
    #expect(mask.masked("first line\nsecond line\n}") == "***")
    #expect(mask.masked("then second line. }") == "then ***. }")
  }

  @Test("and overlapping ones leave nothing of each other")
  func overlapping() {
    let mask = Mask(["abcdef", "defghi", "abcd"])
    #expect(mask.masked("abcdefghi abcd defghi") == "*** *** ***")
  }

  @Test("but one of three characters or fewer masks nothing", arguments: ["", " \n", "ab", "abc"])
  func short(value: String) {
    #expect(Mask([value]).masked("some abc text") == "some abc text")
  }

  @Test("where it was cut before it came here")
  func cut() {
    let mask = Mask(["0123456789"])
    #expect(mask.masked("line 0123456… (9 more bytes)") == "line ***… (9 more bytes)")
    #expect(mask.masked("line 012… and") == "line 012… and")
  }

  @Test(
    "in time that grows with the text, whatever the secret is made of",
    arguments: [#"\"#, "%", "&", "a", "%2525", "…"])
  func expensive(piece: String) {
    let mask = Mask([String(repeating: piece, count: 40) + "x"])
    let text = String(repeating: piece, count: 500)
    #expect(mask.masked(text).contains("*") == (piece == "…"))
  }

  @Test("in text that isn't valid UTF-8")
  func bytes() {
    let bytes: [UInt8] = [0xFF] + Array("token".utf8) + [0xFE]
    #expect(Mask(["token"]).masked(bytes) == [0xFF] + Array("***".utf8) + [0xFE])
  }
}
