import SourceText
import Synchronization
import Testing

@testable import StubMappings

@Suite("Captures: what exporters write differently")
struct CaptureToleranceTests {
  @Test(
    "A capture is read",
    arguments: [
      "\u{FEFF}" + captureText(entry("https://h/a", content: #"{"text": "ok"}"#)),
      #"{"_first": [1, {"log": 2}], "log": {"_x": null, "pages": [], "entries": ["#
        + entry("https://h/a", content: #"{"_t": 1, "text": "ok", "comment": "\"}"}"#) + "]}}",
      "\r\n" + captureText(entry("https:\\/\\/h\\/a", content: #"{"text":"o\u006b"}"#)) + "\r\n",
      captureText(
        entry("https://h:443/a#part", content: #"{"text": "b2s=", "encoding": "base64"}"#)),
      captureText(entry("HTTPS://H/a", content: #"{"text": "ok", "encoding": null}"#)),
    ])
  func read(_ text: String) throws {
    #expect(try StubReplay(capture(Array(text.utf8))).short("GET https://h/a") == "ok")
  }

  @Test(
    "The same URL, written differently",
    arguments: [
      ("https://h/%ea%b0%80?q=%2f", "https://h/%EA%B0%80?q=%2F"), ("https://h", "https://h/"),
      ("https://h/가?q=a b", "https://h/%EA%B0%80?q=a%20b"), ("https://h/[a]", "https://h/%5Ba%5D"),
      ("https://h/a%20b?q=|", "https://h/a%20b?q=%7C"),
      ("https://h/?q=%20|", "https://h/?q=%2520%7C"),
      ("https://h/?q=100%", "https://h/?q=100%25"), ("https://h/?q=%zz#|", "https://h/?q=%25zz"),
      ("https://BÜCHER.de/", "https://xn--bcher-kva.de/"), ("https://u@h/", "https://h/"),
    ])
  func urls(_ captured: String, _ sent: String) throws {
    let text = captureText(entry(captured, content: #"{"text": "ok"}"#))
    #expect(try StubReplay(capture(Array(text.utf8))).short("GET \(sent)") == "ok")
  }

  @Test(
    "Other URLs stay others",
    arguments: ["https://h/a/", "https://h/A", "https://h/a?", "http://h/a"])
  func otherURLs(_ sent: String) throws {
    let text = captureText(entry("https://h/a", content: #"{"text": "ok"}"#))
    #expect(try StubReplay(capture(Array(text.utf8))).short("GET \(sent)") == "-")
  }

  @Test(
    "What Foundation sends differently stays different",
    arguments: [
      ("https://h/?q=%20|", "https://h/?q=%20%7C"), ("https://h/?q=%7C", "https://h/?q=%257C"),
      ("https://h/?q=a+b", "https://h/?q=a%20b"), ("https://h/?q=%41", "https://h/?q=A"),
      ("https://h/a/../b", "https://h/b"), ("https://h/a;b", "https://h/a%3Bb"),
    ])
  func sentDifferently(_ captured: String, _ sent: String) throws {
    let text = captureText(entry(captured, content: #"{"text": "ok"}"#))
    #expect(try StubReplay(capture(Array(text.utf8))).short("GET \(sent)") == "-")
  }

  @Test("No text, no content, status 0, a switch of protocols")
  func gaps() throws {
    let text = captureText(
      entry("https://h/none", content: #"{"size": 99, "mimeType": "x"}"#),
      entry("https://h/aborted", status: 0), entry("wss://h/socket", status: 101),
      #"{"request": {"method": "GET", "url": "https://h/bare"}, "response": {"status": 204}}"#,
      #"{"request": {"method": "GET", "url": "https://h/pending"}}"#,
      #"{"request": {"method": "GET", "url": "https://h/lost"}, "response": null}"#,
      #"{"request": null, "response": {"status": 200}}"#, "null")
    let replay = try StubReplay(capture(Array(text.utf8)))
    let answers = try ["none", "aborted", "bare", "pending", "lost"].map {
      try replay.short("GET https://h/\($0)")
    }
    #expect(answers == ["200", "-", "204", "-", "-"])
  }

  @Test(
    "Repeats come in the order of their time, in whatever form it is written",
    arguments: [
      ["2026-01-01T00:00:01.5Z", "2026-01-01T00:00:01Z", "2026-01-01T09:00:02+09:00"],
      [
        "2026-01-01T00:00:01.123456+00:00", "2026-01-01T00:00:01.123455+00:00",
        "2026-01-01T00:00:02Z",
      ],
      [
        "2026-01-01T10:00:00.0000000+01:00", "2026-01-01T08:59:59.9999999Z",
        "2026-01-01T04:00:01.000-05:00",
      ],
      [
        "2026-01-01T00:00:01.200+0000", "2026-01-01T00:00:01.100+0000",
        "2026-01-01T00:00:01.300+0000",
      ],
    ])
  func order(_ times: [String]) throws {
    let entries = times.enumerated().map { index, time in
      entry("https://h/a", started: time, content: #"{"text": "\#(index)"}"#)
    }
    let text = captureText(entries.joined(separator: ","))
    let replay = try StubReplay(capture(Array(text.utf8)))
    let answers = try (0..<4).map { _ in try replay.short("GET https://h/a") }
    #expect(answers == ["1", "0", "2", "2"])
  }

  @Test("Without times, repeats come in the file's order")
  func noTimes() throws {
    let text = captureText(
      entry("https://h/a", content: #"{"text": "0"}"#),
      entry("https://h/a", started: "yesterday", content: #"{"text": "1"}"#))
    let replay = try StubReplay(capture(Array(text.utf8)))
    #expect(try replay.short("GET https://h/a") == "0")
    #expect(try replay.short("GET https://h/a") == "1")
  }

  @Test("Where a URL leaves several bodies, the body decides: bytes, JSON, forms")
  func bodies() throws {
    let text = captureText(
      entry(
        "https://h/q", method: "POST", body: #"{\"a\": 1, \"b\": 2}"#, content: #"{"text": "json"}"#
      ),
      entry("https://h/q", method: "POST", body: "plain", content: #"{"text": "plain 1"}"#),
      entry("https://h/q", method: "POST", body: "plain", content: #"{"text": "plain 2"}"#),
      #"""
      {"request": {"method": "POST", "url": "https://h/q", "postData": {"params": [
        {"name": "n", "value": "책"}, {"name": "x", "value": "a+b"}]}},
       "response": {"status": 200, "content": {"text": "form"}}}
      """#)
    let replay = try StubReplay(capture(Array(text.utf8)))
    let answers = try [
      #"{"b":2,"a":1}"#, "plain", "n=%EC%B1%85&x=a+b", "plain", "plain", "other",
    ].map { try replay.short("POST https://h/q -- \($0)") }
    #expect(answers == ["json", "plain 1", "form", "plain 2", "plain 2", "-"])
  }

  @Test(
    "A body that the capture doesn't tell may be any, where no other entry has it",
    arguments: [
      #""postData": {"text": {"a": 1}}"#, #""postData": {"params": "a=1"}"#,
      #""postData": {"params": [{"name": "file", "fileName": "a.png"}]}"#,
      #""postData": {"params": ["a"]}"#, #""postData": []"#,
      #""postData": {"text": ""}, "bodySize": 7"#, #""postData": null, "bodySize": 7"#,
      #""bodySize": 7"#,
    ])
  func unknownBody(_ members: String) throws {
    let text = captureText(
      #"""
      {"request": {"method": "POST", "url": "https://h/q", \#(members)},
       "response": {"status": 200, "content": {"text": "unknown"}}}
      """#,
      entry("https://h/q", method: "POST", body: "known", content: #"{"text": "known"}"#),
      entry("https://h/q", method: "POST", content: #"{"text": "none"}"#))
    let replay = try StubReplay(capture(Array(text.utf8)))
    let answers = try [" -- other", " -- known", ""].map {
      try replay.short("POST https://h/q\($0)")
    }
    #expect(answers == ["unknown", "known", "none"])
  }

  @Test(
    "A capture that can't answer anything is told",
    arguments: [
      (captureText(), "it has no entries"),
      (
        captureText(
          entry("https://h/a", status: 0), entry("wss://h/b", status: 101),
          #"{"request": {"method": "GET"}, "response": {"status": 200}}"#),
        "none of its 3 entries has a method, a URL and a response with a status of 200 or more"
      ),
    ])
  func nothingToReplay(_ text: String, _ reason: String) {
    #expect(
      decodedStubs(text).messages == [
        "1:1: The capture can't answer any request: \(reason). Record it again, or remove it from "
          + #""stubs"."#
      ])
  }

  @Test("Headers that would contradict the text")
  func headers() throws {
    let headers = #"""
      [{"name": ":status", "value": "200"}, {"name": "Content-Encoding", "value": "br"},
       {"name": "content-length", "value": "3"}, {"name": "Transfer-Encoding", "value": "chunked"},
       {"name": "Content-Type", "value": "text/html; charset=EUC-KR"},
       {"name": "Set-Cookie", "value": "a=1\nb=2"}, {"name": "X", "value": "y"}]
      """#
    let text = captureText(entry("https://h/a", headers: headers, content: #"{"text": "한글"}"#))
    let message = try StubReplay(capture(Array(text.utf8))).message("GET https://h/a")
    #expect(
      message?.headers == [
        StubHeader("content-length", "6"), StubHeader("Content-Type", "text/html; charset=utf-8"),
        StubHeader("Set-Cookie", "a=1"), StubHeader("Set-Cookie", "b=2"), StubHeader("X", "y"),
      ])
  }

  @Test("A redirect's target may be told in redirectURL alone")
  func redirectURL() throws {
    let text = captureText(
      entry("https://h/a", status: 302, more: #", "redirectURL": "/b""#),
      entry("https://h/b", more: #", "redirectURL": """#))
    let replay = try StubReplay(capture(Array(text.utf8)))
    #expect(try replay.message("GET https://h/a")?.header("location") == "/b")
    #expect(try replay.message("GET https://h/b")?.header("location") == nil)
  }

  @Test("A mapping comes before a capture")
  func mappingFirst() throws {
    let (set, messages) = decodedStubs(
      captureText(entry("https://h/a", content: #"{"text": "captured"}"#)),
      #"{"priority": 9, "request": {"urlPath": "/a"}, "responses": [{"status": 500}]}"#)
    #expect(messages.isEmpty)
    #expect(try StubReplay(set).short("GET https://h/a") == "500")
  }

  @Test(
    "A damaged capture is told at its place",
    arguments: [
      (
        #"{"log": {"entries": [{"request": {"method": "GET""#,
        "1:50: This isn't valid JSON: the text ends where a comma or } is expected."
      ),
      (
        #"{"log": {"entries": [{} {}]}}"#,
        "1:25: This isn't valid JSON: expected a comma or ]."
      ),
      (#"{"log": {"version": "1.2"}}"#, #"1:1: The capture has no "entries" in its "log"."#),
      (
        #"{"log": {"entries": [{"request": {"url": "GET"#,
        "1:46: This isn't valid JSON: the text ends where a closing quotation mark is expected."
      ),
      (
        #"{"log": {"entries": [{"cache": [{"a": "]}\\""#,
        "1:45: This isn't valid JSON: the text ends where a closing bracket is expected."
      ),
      (
        #"{"log": {"entries": [{"response": {"status": }}]}}"#,
        "1:46: This isn't valid JSON: expected a value."
      ),
      (#"{"log": {"entries": []}} and"#, "1:26: This isn't valid JSON: expected nothing more."),
      (#"{"log": {"entries": {}}}"#, "1:21: This isn't valid JSON: expected an array."),
    ])
  func damage(_ text: String, _ message: String) {
    #expect(decodedStubs(text).messages == [message])
  }

  @Test(
    "A response that can't be read is told when it is asked for",
    arguments: [
      (
        #"{"text": "x", "encoding": "base64"}"#,
        #"its body isn't Base64, although its "encoding" says so"#
      ),
      (#"{"text": {"a": 1}}"#, "its body isn't a text"),
      (#"{"text": "\x"}"#, "it isn't valid JSON"),
    ])
  func unreadable(_ content: String, _ reason: String) throws {
    let text = captureText(entry("https://h/a", content: content))
    let replay = try StubReplay(capture(Array(text.utf8)))
    #expect {
      try replay.short("GET https://h/a")
    } throws: { error in
      "\(error)".hasSuffix("The response can't be read: \(reason).")
    }
  }

  @Test("A file that has changed since it was loaded, or is gone, is told, and never misread")
  func changed() throws {
    let file = ChangingFile(captureText(entry("https://h/a", content: #"{"text": "ok"}"#)))
    var set = StubSet()
    try set.add(
      StubFile(path: "x.har", read: file.read), bodyFiles: OneBodyFile(), DiagnosticCollector())
    let replay = StubReplay(set)
    #expect(try replay.short("GET https://h/a") == "ok")
    file.set("{}")
    #expect(throws: StubDoubt.self) { try replay.short("GET https://h/a") }
    file.set(nil)
    #expect(throws: StubDoubt.self) { try replay.short("GET https://h/a") }
  }
}

private final class ChangingFile: Sendable {
  private struct Gone: Error {}
  private let content: Mutex<String?>

  init(_ content: String) {
    self.content = Mutex(content)
  }

  func set(_ other: String?) { content.withLock { $0 = other } }

  func read(_ body: (UnsafeBufferPointer<UInt8>) -> Void) throws {
    guard let content = content.withLock({ $0 }) else { throw Gone() }
    Array(content.utf8).withUnsafeBufferPointer(body)
  }
}
