import Foundation
import Testing

@testable import StubMappings

@Suite("Captures of real exporters, whole")
struct CaptureTests {
  @Test("mitmproxy: each exchange is answered as it was")
  func mitmproxy() throws {
    let replay = StubReplay(try capture(CaptureFiles.bytes(CaptureFiles.own("mitmproxy-11.har"))))
    let base = "http://127.0.0.1:18099"
    let table = [
      ("GET \(base)/gzip?q=%EC%B1%85&page=1", #"{"title":"책과 커피"}"#),
      ("GET \(base)/chunked", "one, two, three, four"), ("GET \(base)/old", "302"),
      ("GET \(base)/new?from=old", "arrived"), ("GET \(base)/poll", "poll 1"),
      ("GET \(base)/poll", "poll 2"), ("GET \(base)/poll", "poll 3"),
      ("GET \(base)/poll", "poll 3"), ("HEAD \(base)/poll", "200"),
      ("GET \(base)/missing", #"{"error":"no such thing"}"#), ("GET \(base)/abort", "-"),
      (#"POST \#(base)/graphql -- {"n":1,"query":"poses"}"#, #"{"answer": "poses"}"#),
      (#"POST \#(base)/graphql -- {"query":"books","n":1}"#, #"{"answer": "books"}"#),
      (#"POST \#(base)/graphql -- {"query":"items","n":1}"#, "-"),
      (
        "POST \(base)/form -- anything: one capture alone asks for no body",
        "form:name=%EC%B1%85&x=a+b"
      ),
      ("DELETE \(base)/item", "204"), ("PUT \(base)/item", "-"), ("GET \(base)/poll?x=1", "-"),
    ]
    for (request, answer) in table { #expect(try replay.short(request) == answer, "\(request)") }
    #expect(
      try replay.body("GET \(base)/image.png")?.starts(with: [0x89, 0x50, 0x4E, 0x47]) == true)
    #expect(try replay.body("GET \(base)/euckr") == [0xC7, 0xD1, 0xB1, 0xDB])
  }

  @Test("mitmproxy: headers that speak of the wire are gone, the others are there")
  func wireHeaders() throws {
    let replay = StubReplay(try capture(CaptureFiles.bytes(CaptureFiles.own("mitmproxy-11.har"))))
    let base = "http://127.0.0.1:18099"
    let gzip = try #require(try replay.message("GET \(base)/gzip?q=%EC%B1%85&page=1"))
    #expect(gzip.header("Content-Encoding") == nil)
    #expect(gzip.header("Content-Length") == "25")
    #expect(gzip.header("content-type") == "application/json")
    #expect(try replay.message("GET \(base)/chunked")?.header("Transfer-Encoding") == nil)
    #expect(try replay.message("HEAD \(base)/poll")?.header("Content-Length") == "6")
    let cookies = try replay.message("GET \(base)/new?from=old")?.headers.filter {
      $0.isNamed("set-cookie")
    }
    #expect(cookies?.map(\.value) == ["a=1", "b=2"])
  }

  @Test(
    "The captures of Charles, of Playwright and of a browser: every exchange",
    .enabled(if: CaptureFiles.hasShared, "the captures beside the repository are missing"),
    arguments: ["charles-4.6.3.har", "redirect.har", "with-bom.har"])
  func shared(_ name: String) throws {
    let bytes = try CaptureFiles.bytes(CaptureFiles.shared(name))
    let replay = StubReplay(try capture(bytes))
    // Read by Foundation: whoever makes a mistake, it is not the same one.
    let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
    let root = try JSONSerialization.jsonObject(with: Data(text)) as? [String: Any]
    let log = try #require(root?["log"] as? [String: Any])
    let entries = try #require(log["entries"] as? [[String: Any]])
    #expect(!entries.isEmpty)
    for entry in entries {
      let asked = try #require(entry["request"] as? [String: Any])
      let answer = try #require(entry["response"] as? [String: Any])
      let line = "\(asked["method"] ?? "") \(asked["url"] ?? "")"
      let message = try #require(try replay.message(line), "\(line)")
      let content = (answer["content"] as? [String: Any])?["text"] as? String ?? ""
      #expect(message.status == answer["status"] as? Int)
      #expect(message.body == .bytes(Array(content.utf8)))
      #expect(message.header("content-encoding") == nil)
    }
  }

  @Test(
    "A redirect is a hop to the next captured exchange",
    .enabled(if: CaptureFiles.hasShared, "the captures beside the repository are missing"))
  func redirect() throws {
    let replay = StubReplay(try capture(CaptureFiles.bytes(CaptureFiles.shared("redirect.har"))))
    let first = try replay.message("GET https://theverge.com")
    #expect(first?.header("Location") == "http://www.theverge.com/")
    let second = try replay.message("GET http://www.theverge.com/")
    #expect(second?.header("Location") == "https://www.theverge.com/")
    #expect(try replay.message("GET https://www.theverge.com/")?.status == 200)
  }
}
