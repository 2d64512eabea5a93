import Testing

@testable import ScenarioReporting

@Suite("The value of a credential header is masked, without having been named")
struct CredentialMaskingTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var text: String
    var masked: String

    init(_ text: String, _ masked: String) {
      self.text = text
      self.masked = masked
    }

    var testDescription: String { text }
  }

  static let cases = [
    Case("Authorization: Bearer abc def", "Authorization: ***"),
    Case(
      "> proxy-authorization:Basic abc=\r\n> Accept: */*",
      "> proxy-authorization:***\r\n> Accept: */*"),
    Case("Set-Cookie: sid=1; Path=/\nnext", "Set-Cookie: ***\nnext"),
    Case("COOKIE: a=b", "COOKIE: ***"),
    Case(
      "curl -H 'Authorization: Bearer abc' -H \"Cookie: a=\\\"b\\\"\" https://a/",
      "curl -H 'Authorization: ***' -H \"Cookie: ***\" https://a/"),
    Case(
      #"{"Authorization":"Bearer a\"b","Accept":"x"}"#, #"{"Authorization":"***","Accept":"x"}"#),
    Case(
      #"{"body":"{\"Authorization\":\"Bearer abc\",\"x\":1}"}"#,
      #"{"body":"{\"Authorization\":\"***\",\"x\":1}"}"#),
    Case(
      #"{"headers": {"Authorization": {"equalTo": "Bearer abc"}, "Accept": {"equalTo": "x"}}}"#,
      #"{"headers": {"Authorization": {"equalTo": "***"}, "Accept": {"equalTo": "x"}}}"#),
    Case(#"{"name": "Cookie", "value": "a=b"}"#, #"{"name": "Cookie", "value": "***"}"#),
    Case(
      #""cookies": [{"name": "sid", "value": "1"}], "x": "y""#,
      #""cookies": [{"name": "***", "value": "***"}], "x": "y""#),
    Case(#"["Authorization": "Bearer abc", "A": "b"]"#, #"["Authorization": "***", "A": "b"]"#),
    Case("    Authorization = \"Bearer abc\";\n    A = b;", "    Authorization = ***\n    A = b;"),
    Case(#"log: > Cookie: a=b\r\n> Host: c"#, #"log: > Cookie: ***\r\n> Host: c"#),
    Case(#"{"Authorization": "Bearer abc"#, #"{"Authorization": "***"#),
    // Coloured.
    Case(
      "\u{1B}[1mAuthorization\u{1B}[0m: \u{1B}[2mBearer abc\u{1B}[0m\nnext",
      "\u{1B}[1mAuthorization\u{1B}[0m: \u{1B}[2m***\u{1B}[0m\nnext"),
    Case("\u{1B}[1mAuthorization\u{1B}[0m: Bearer abc", "\u{1B}[1mAuthorization\u{1B}[0m: ***"),
    // As Foundation and Swift print them.
    Case(
      #"[AnyHashable("Authorization"): "Bearer abc", AnyHashable("A"): "b"]"#,
      #"[AnyHashable("Authorization"): "***", AnyHashable("A"): "b"]"#),
    Case(#"(key: "Authorization", value: "Bearer abc")"#, #"(key: "Authorization", value: "***")"#),
    Case(
      "    \"Set-Cookie\" =     (\n        \"sid=1\",\n        abc\n    );\n    A = b;",
      "    \"Set-Cookie\" =     (\n        \"***\",\n        ***\n    );\n    A = b;"),
    Case(
      #"[{"value":"Bearer abc","name":"Authorization"},{"name":"A","value":"b"}]"#,
      #"[{"value":"***","name":"Authorization"},{"name":"A","value":"b"}]"#),
    Case(
      #"{"value": "a=b", "secure": true, "name": "Cookie"}"#,
      #"{"value": "***", "secure": true, "name": "Cookie"}"#),
    // Folded.
    Case("Authorization: Bearer\r\n abc\r\nHost: c", "Authorization: ***\r\nHost: c"),
    Case("Authorization:\n  Bearer abc\nnext", "Authorization:\n  ***\nnext"),
    Case("  Cookie: a\n  Host: c\n    d", "  Cookie: ***\n  Host: c\n    d"),
    // In commands of curl.
    Case("curl --cookie 'sid=1' https://a/", "curl --cookie '***' https://a/"),
    Case("curl -s -b sid=1 https://a/", "curl -s -b *** https://a/"),
    Case(#"curl -b "sid=1; b" -u me:abc d"#, #"curl -b "***" -u *** d"#),
    // Backslashes that end no line.
    Case(
      #"Authorization: Digest username="CORP\nick", response="abc""#,
      "Authorization: ***"),
    Case(
      #"{"Cookie": {"equalTo": 12345678, "absent": true}}"#,
      #"{"Cookie": {"equalTo": ***, "absent": true}}"#),
    Case(#"{"Authorization": {"Bearer abc": 1}}"#, #"{"Authorization": {"***": ***}}"#),
    // No headers.
    Case("grep -b abc --cookies x", "grep -b abc --cookies x"),
    Case(
      "https://a.example.com/?cookie=1&authorization=2",
      "https://a.example.com/?cookie=1&authorization=2"),
    Case(
      "X-Authorization: a, my_cookie: b, cookies: c", "X-Authorization: a, my_cookie: b, cookies: c"
    ),
    Case("the cookie was set", "the cookie was set"),
    Case("Authorization:", "Authorization:"),
  ]

  @Test("in whatever shape an app says it", arguments: cases)
  func shape(_ example: Case) {
    #expect(Masking().maskedWords(example.text) == example.masked)
  }

  @Test("in bounded time, however long a line is")
  func longLine() {
    let texts = ["curl ", #"\n"#, #""name":"Cookie","#, "Cookie: ", "\u{1B}[", "\u{1B}]", "한"]
    let clock = ContinuousClock()
    for text in texts {
      let line = String(repeating: text, count: 30_000) + "\""
      let time = clock.measure {
        _ = Masking().maskedWords(line)
        _ = Masking().maskedWords("Cookie: \"" + line)
      }
      #expect(time < .seconds(5), "\(text)")
    }
  }

  @Test("once masked it stays as it is", arguments: cases)
  func again(_ example: Case) {
    #expect(Masking().maskedWords(example.masked) == example.masked)
  }
}
