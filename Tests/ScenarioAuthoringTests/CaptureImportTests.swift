import Foundation
import JSON
import RequestMatching
import SourceText
import Testing

@testable import ScenarioAuthoring

@Suite("A capture is imported") struct CaptureImportTests {
  private static let token = "q7RzX2vB9nLw4TfK1sYd"
  private static let webToken =
    "eyJhbGciOiJIUzI1NiJ9x.eyJzdWIiOiIxMjM0NTYifQ0.c2lnbmF0dXJlLW9mLWE"

  /// An exchange of a capture.
  private static func entry(
    _ url: String = "https://api.example.com/a", method: String = "GET", headers: JSONValue = [],
    post: JSONValue? = nil, status: Int = 200, content: JSONValue = ["mimeType": "text/plain"],
    answerHeaders: JSONValue = [], more: JSONValue? = nil
  ) -> JSONValue {
    [
      "startedDateTime": "2026-11-20T09:14:02.118Z", "_more": more,
      "request": [
        "method": .string(method), "url": .string(url), "headers": headers, "postData": post,
      ],
      "response": ["status": .integer(status), "headers": answerHeaders, "content": content],
    ]
  }

  private static func header(_ name: String, _ value: String) -> JSONValue {
    [["name": .string(name), "value": .string(value)]]
  }

  private static func text(_ text: String, _ type: String = "text/plain") -> JSONValue {
    ["mimeType": .string(type), "text": .string(text)]
  }

  private func imported(
    _ entries: [JSONValue], hosts: [String] = [], secrets: [String] = []
  ) throws -> CaptureImport {
    let capture: JSONValue = ["log": ["version": "1.2", "entries": .array(entries)]]
    return try CaptureImport(
      SourceFile.byteOrderMark + capture.bytes(), tracking: TrackingLook(hosts: hosts),
      secrets: secrets)
  }

  /// The entries of the fixture.
  private func fixture(_ imported: CaptureImport) throws -> [JSONValue] {
    let json = try JSONValue(parsing: try #require(imported.fixture))
    return try #require(json["log"]?["entries"]?.array)
  }

  // MARK: - Secrets

  @Test("A credential of a few letters is replaced where it stands, and nowhere else")
  func shortCredential() throws {
    let entries = try fixture(
      imported([
        Self.entry(
          headers: Self.header("X-Api-Key", "a@b"), content: Self.text("mail a@b, not a@bc"))
      ]))
    #expect(entries[0]["request"]?["headers"]?.array?.first?["value"] == "redacted-001")
    #expect(entries[0]["response"]?["content"]?["text"] == "mail a@b, not a@bc")
  }

  struct Secret: Sendable, CustomTestStringConvertible {
    var name: String
    var entry: JSONValue
    /// What isn't there any more.
    var secrets: [String]
    /// What stands there.
    var kept: String
    var testDescription: String { name }
  }

  static let secrets: [Secret] = [
    Secret(
      name: "a credential, with its scheme",
      entry: entry(headers: header("authorization", "KakaoAK a-key")),
      secrets: ["a-key"], kept: "KakaoAK redacted-001"),
    Secret(
      name: "a key in a header", entry: entry(headers: header("X-Api-Key", "abc")),
      secrets: ["abc"], kept: #""redacted-001""#),
    Secret(
      name: "each cookie that is sent",
      entry: entry(headers: header("Cookie", "a=qwe; theme=dusk")),
      secrets: ["qwe", "dusk"], kept: "a=redacted-001; theme=redacted-002"),
    Secret(
      name: "each cookie that is set, without its attributes",
      entry: entry(answerHeaders: header("set-cookie", "a=qwe; Path=/\nb=rty")),
      secrets: ["qwe", "rty"], kept: #"a=redacted-001; Path=/\nb=redacted-002"#),
    Secret(
      name: "a parameter by its name",
      entry: entry("https://api.example.com/a?access_token=x%2By&b=1"),
      secrets: ["x%2By"], kept: "?access_token=redacted-001&b=1"),
    Secret(
      name: "a random parameter", entry: entry("https://api.example.com/a?code=\(token)"),
      secrets: [token], kept: "?code=redacted-001"),
    Secret(
      name: "a password before the host", entry: entry("https://kim:pass@api.example.com/a"),
      secrets: ["kim:pass"], kept: "https://redacted-001@api.example.com/a"),
    Secret(
      name: "what a fragment has", entry: entry("https://api.example.com/a#id_token=abc&b=1"),
      secrets: ["abc"], kept: "#id_token=redacted-001&b=1"),
    Secret(
      name: "an address in a parameter",
      entry: entry("https://api.example.com/a?to=kim%40b.example.org"),
      secrets: ["kim%40"], kept: "?to=redacted-001%40example.com"),
    Secret(
      name: "an address in a page",
      entry: entry(content: text("Write to <b>kim@b.example.org</b>.", "text/html")),
      secrets: ["kim@"], kept: "Write to <b>redacted-001@example.com</b>."),
    Secret(
      name: "a web token in a text", entry: entry(content: text("var t='\(webToken)'")),
      secrets: [webToken], kept: "var t='redacted-001'"),
    Secret(
      name: "a service's key in a text", entry: entry(content: text("ghp_0123456789abcdefghij")),
      secrets: ["ghp_"], kept: "redacted-001"),
    Secret(
      name: "a member of JSON, in its layout",
      entry: entry(content: text(#"{ "password" : "p\"w",  "a": 1 }"#)),
      secrets: ["p\\\\\\\"w"], kept: #"{ \"password\" : \"redacted-001\",  \"a\": 1 }"#),
    Secret(
      name: "a number of JSON", entry: entry(content: text(#"{"token": 4711, "n": 4711}"#)),
      secrets: [#"\"token\": 4711"#], kept: #"{\"token\": 0, \"n\": 4711}"#),
    Secret(
      name: "JSON a line",
      entry: entry(content: text("{\"secret\": \"abc\"}\n{\"secret\": \"abc\"}\n")),
      secrets: ["abc"], kept: #"{\"secret\": \"redacted-001\"}\n{\"secret\": \"redacted-001\"}\n"#),
    Secret(
      name: "a field of a form",
      entry: entry(
        method: "POST", post: text("user=k&password=abc", "application/x-www-form-urlencoded")),
      secrets: ["abc"], kept: "user=k&password=redacted-001"),
    Secret(
      name: "a text in Base64",
      entry: entry(content: [
        "encoding": "base64",
        "text": .string(Data(#"{"secret":"abc"}"#.utf8).base64EncodedString()),
      ]), secrets: [Data(#"{"secret":"abc"}"#.utf8).base64EncodedString()],
      kept: Data(#"{"secret":"redacted-001"}"#.utf8).base64EncodedString()),
    Secret(
      name: "what an exporter adds", entry: entry(more: [["data": .string("token " + webToken)]]),
      secrets: [webToken], kept: "token redacted-001"),
  ]

  @Test("without secrets", arguments: secrets)
  func secret(_ secret: Secret) throws {
    let imported = try imported([secret.entry])
    let text = try fixture(imported).map { $0.text() }.joined()
    for secret in secret.secrets { #expect(!text.contains(secret), "\(text)") }
    #expect(text.contains(secret.kept), "\(text)")
    #expect(!imported.redactions.isEmpty)
    #expect(imported.redactions.allSatisfy { $0.count > 0 && $0.place.entry == 1 })
  }

  @Test(
    "with what is no secret",
    arguments: [
      entry("https://api.example.com/a?id=0d7e6a52-1f0c-4a3b-9c55-0123456789ab&q=kim+park&page=2"),
      entry("https://api.example.com/the-ten-best-books-of-2024-and-2025/978-3-16-148410-0"),
      entry("https://api.example.com/a?d=20240101123456789012&max_tokens=5&token="),
      entry(headers: header("If-None-Match", "\"\(token)\"")),
      entry(content: text("<img src='cart@2x.png'> a@b @kim 5@ .@. x@y.z1")),
      entry(content: text("a@1.ts\na@20250428T105329_12.com")),
      entry(
        "https://ndtv24x7elemarchana.akamaized.net/a",
        headers: header("Host", "ndtv24x7elemarchana.akamaized.net"),
        content: text(#"{"cdn": "NDTV24x7elemarchana.akamaized.net"}"#),
        answerHeaders: header("Access-Control-Allow-Credentials", "true")),
      entry(
        content: text(
          #"{"title": "Fake news, 1984", "isbn": "8937460470 9788937460470", "hasToken": true}"#)),
      entry(content: [
        "mimeType": "image/png", "encoding": "base64", "text": "iVBORw0KGgoAAAANSUhEUgAAAAEAAAAB",
      ]),
      entry(content: ["encoding": "base64", "text": "not base64!"]),
      entry(
        "https://cdn.example.com/a/4f1c9e0b7a2d4f1c9e0b7a2d4f1c9e0b/list",
        headers: header(":path", "/a/4f1c9e0b7a2d4f1c9e0b7a2d4f1c9e0b/list")),
      entry(content: text(#"{"image": "/i/4f1c9e0b7a2d4f1c9e0b7a2d4f1c9e0b.jpeg"}"#)),
      entry("https://metrics.example.com/collect", method: "OPTIONS", status: 204),
      entry(content: text("{broken")), entry(status: 0),
    ])
  func harmless(_ entry: JSONValue) throws {
    let imported = try imported([entry, Self.entry()])
    #expect(try fixture(imported).first == entry)
    #expect(imported.redactions.isEmpty)
    #expect(imported.tracking.isEmpty)
    #expect((imported.entryCount, imported.fixtureCount) == (2, 2))
  }

  @Test("with one placeholder for a secret wherever it stands, so that requests find their answers")
  func consistency() throws {
    let login = Self.entry(
      "https://api.example.com/login", method: "POST",
      post: Self.text(#"{"password": "k/i\/m 2024"}"#),
      content: Self.text(#"{"accessToken": "a+b/c1234"}"#))
    let imported = try imported(
      [
        login, Self.entry("https://api.example.com/me?t=a%2Bb%2Fc1234"),
        Self.entry(
          "https://api.example.com/b?p=k%2Fi%2Fm%202024", content: Self.text("k/i/m 2024")),
        Self.entry("https://api.example.com/c?apikey=mine"),
      ], secrets: ["unseen"])
    let text = try fixture(imported).map { $0.text() }
    #expect(text[0].contains(#"\"accessToken\": \"redacted-003\""#), "\(text[0])")
    #expect(text[1].contains("/me?t=redacted-003"), "\(text[1])")
    #expect(
      text[2].contains("/b?p=redacted-002") && text[2].contains(#""text":"redacted-002""#),
      "\(text[2])")
    // The app gets the first from an answer, and this from nowhere.
    #expect(imported.foreignPlaceholders == ["redacted-004"])
    #expect(imported.redactions.map(\.count) == [3, 2, 1])
    #expect(imported.redactions.map(\.kind) == [.credential, .credential, .credential])
  }

  @Test("without what the user calls secret, wherever it stands")
  func namedSecret() throws {
    let imported = try imported(
      [Self.entry(content: Self.text("<p>Jane Doe</p>"))], secrets: ["Jane Doe"])
    // A word alone, short and without digits, may stand anywhere by chance; a secret that is named may not.
    #expect(try fixture(imported)[0].text().contains("<p>redacted-001</p>"))
  }

  // MARK: - Tracking

  @Test("without a cookie that a tracker's answer sets, wherever it comes back")
  func trackersCookie() throws {
    let imported = try imported([
      Self.entry(),
      Self.entry(
        "https://www.google-analytics.com/a",
        answerHeaders: Self.header("Set-Cookie", "id=UcCRCqrpiOEXQtblUQ; path=/")),
      Self.entry("https://www.google-analytics.com/b;id=UcCRCqrpiOEXQtblUQ"),
    ])
    let drafted = imported.tracking.map { JSONLayout.line($0.expectation) }.joined()
    #expect(drafted.contains("google-analytics") && !drafted.contains("UcCRC"), "\(drafted)")
  }

  @Test("with what looks like tracking as expectations, with their counts")
  func tracking() throws {
    let gif: JSONValue = ["mimeType": "image/gif", "size": 43]
    let imported = try imported(
      [
        Self.entry(content: Self.text(#"{"ad": "https://t.example.com/i?ad=\#(Self.token)"}"#)),
        Self.entry("https://t.example.com/i?ad=\(Self.token)&ts=1795166042&cb=5", content: gif),
        Self.entry("https://t.example.com/i?ad=\(Self.token)&ts=1795166043&cb=6", content: gif),
        Self.entry(
          "https://t.example.com/seen", method: "POST",
          post: Self.text(
            #"{"id": "0d7e6a52-1f0c-4a3b-9c55-0123456789ab", "at": 1795166042118, "ad": "A-1", "token": "x"}"#
          ),
          status: 204),
        Self.entry("https://www.google-analytics.com/a?session=\(Self.webToken)"),
        Self.entry(
          "https://x.named.example/a?uid=\(Self.token.reversed().map(String.init).joined())"),
        Self.entry(
          "https://events.example.com/v1/track", method: "POST",
          post: Self.text(#"{"type": "track", "event": "Seen"}"#)),
        Self.entry("https://api.example.com/x", method: "DELETE", status: 204),
        Self.entry("https://metrics-eu.example.com/aborted", status: 0),
      ], hosts: ["*.named.example"])
    #expect(
      imported.tracking.map(\.reason) == [
        .pixel, .noContent, .collector, .namedHost, .events(decoder: "segment"),
      ])
    #expect(
      imported.tracking.map { JSONLayout.line($0.expectation) } == [
        #"{ "url": "https://t.example.com/i?ad=redacted-001", "count": 2 }"#,
        ##"{ "method": "POST", "url": "https://t.example.com/seen", "bodyPatterns": [{ "equalToJson": { "id": "#{json-unit.any-string}", "at": "#{json-unit.any-number}", "ad": "A-1", "token": "#{json-unit.any-string}" } }], "count": 1 }"##,
        #"{ "url": "https://www.google-analytics.com/a", "queryParameters": { "session": { "matches": ".+" } }, "count": 1 }"#,
        #"{ "url": "https://x.named.example/a", "queryParameters": { "uid": { "matches": ".+" } }, "count": 1 }"#,
        #"{ "method": "POST", "url": "https://events.example.com/v1/track", "bodyPatterns": [{ "equalToJson": { "type": "track", "event": "Seen" } }], "count": 1 }"#,
      ])
    #expect(try fixture(imported).count == 3)
    let scenario = imported.scenario(stubs: "x.har", path: "x.json")
    let draft = String(decoding: imported.draft(of: scenario).bytes, as: UTF8.self)
    #expect(draft.contains(#""volatileParameters": ["cb", "session", "ts", "uid"],"#), "\(draft)")
  }

  @Test(
    "not at all where there is nothing to import",
    arguments: [
      ("{", CaptureImport.Problem.invalidJSON(JSONError(.endOfText(.key), at: 1))),
      ("[]", .noCapture), ("PK\u{3}\u{4}", .noCapture), (#"{"log": {}}"#, .noCapture),
      (#"{"log": {"entries": []}}"#, .nothingAnswered),
      (
        #"{"log": {"entries": [5, {"request": {"url": "a"}, "response": {"status": 0}}]}}"#,
        .nothingAnswered
      ),
    ])
  func problem(_ text: String, _ problem: CaptureImport.Problem) {
    #expect(throws: problem) {
      try CaptureImport(Array(text.utf8), tracking: TrackingLook(hosts: []))
    }
  }

  // MARK: - What becomes of the draft

  @Test("The draft waits on when actions are added, without what is there by now")
  func movedDraft() throws {
    let old = SourceFile(path: "x.json", text: "{\n  \"actions\": []\n}\n")
    let one = #"{ "url": "https://a.example.com/1", "count": 1 }"#
    let two = #"{ "url": "https://a.example.com/2", "count": 1 }"#
    let draft = SourceFile(
      path: "x.json", text: "{\n  \"actions\": [],\n  \"expected\": [\(one), \(two)]\n}\n")
    func moved(_ expected: String) -> String? {
      let new = SourceFile(
        path: "x.json", text: #"{ "actions": [{ "tap": "a" }], "expected": [\#(expected)] }"#)
      let pending = PendingDraft(
        SourceFile(path: "p", bytes: PendingDraft.bytes(of: draft, madeFrom: old)))
      return pending.moved(from: old, to: new).map { bytes in
        let moved = PendingDraft(SourceFile(path: "p", bytes: bytes))
        #expect(bytes.isEmpty || moved.isMade(from: new) && moved.isUnchanged)
        return String(decoding: moved.file.bytes, as: UTF8.self)
      }
    }
    #expect(moved("")?.contains("\"tap\": \"a\"") == true)
    let rest = try #require(moved(one))
    #expect(rest.ranges(of: one).count == 1 && rest.ranges(of: two).count == 1, "\(rest)")
    #expect(moved("\(one), \(two)") == "")
    let other = SourceFile(path: "x.json", text: "{}")
    let pending = PendingDraft(
      SourceFile(path: "p", bytes: PendingDraft.bytes(of: draft, madeFrom: other)))
    #expect(pending.moved(from: old, to: old) == nil)
  }
}
