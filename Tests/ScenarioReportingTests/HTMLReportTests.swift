import Foundation
import ScenarioCore
import Testing

@testable import ScenarioReporting

#if canImport(FoundationXML)
  import FoundationXML
#endif

@Suite("The HTML report")
struct HTMLReportTests {
  private func document(_ result: RunResult = Samples.run) throws -> XMLDocument {
    try XMLDocument(xmlString: HTMLReport(result).text)
  }

  private func strings(_ document: XMLDocument, _ path: String) throws -> [String] {
    try document.nodes(forXPath: path).map { $0.stringValue ?? "" }
  }

  @Test(
    "escapes what means something in HTML, in elements and in attributes",
    arguments: [
      "plain", "<", "\"", "'", "&", "&amp;", "]]>", "</script>", "</style>", "<!--", "%", "a::b",
      "é한👩‍👩‍👧", "onclick=\"x\"",
    ])
  func escapes(text: String) throws {
    let escaped = HTMLText(Outlet()).line(text)
    let html = try XMLDocument(xmlString: "<p title=\"\(escaped)\">\(escaped)</p>")
    #expect(try strings(html, "/p") == [text])
    #expect(try strings(html, "/p/@title") == [text])
  }

  @Test("shows control characters, and breaks lines only in preformatted text")
  func controls() {
    #expect(HTMLText(Outlet()).line("a\u{1}\n\u{1B}[2J") == #"a\u{1}\n\u{1B}[2J"#)
    #expect(HTMLText(Outlet()).lines("a\u{1}\n<b>") == "a\\u{1}\n&lt;b&gt;")
  }

  @Test("has what went wrong first, each kind in a section of its own")
  func order() throws {
    let document = try document()
    #expect(
      try strings(document, "/html/body/main/section/@class") == [
        "failed", "errored", "flaky", "skipped", "passed",
      ])
    #expect(
      try strings(document, "/html/body/header/h1") == [
        "1 passed, 1 flaky, 3 failed, 1 errored, 1 skipped"
      ])
    #expect(try strings(document, "//section[@class='failed']/details").count == 3)
    #expect(try strings(document, "/html/body/label").count == 6)
  }

  @Test("shows in which parameter a request differs, and when it was sent by what")
  func differences() throws {
    let document = try document()
    let first = "(//section[@class='failed']/details)[1]"
    #expect(try strings(document, "\(first)//table[@class='diff']//th[1]").last == "parameter area")
    #expect(try strings(document, "\(first)//del") == ["\"cart\""])
    #expect(try strings(document, "\(first)//ins") == ["\"item\""])
    let requests = "\(first)//article[2]//table[@class='requests']/tbody/tr/td"
    #expect(
      try strings(document, requests) == [
        "0.010 s", "the launch", "0.020 s", "action 2, tap cartButton",
      ])
  }

  @Test("needs no network and no script, whatever the text in it says")
  func safety() throws {
    let name = "</style><script>alert(1)</script><img src=x onerror=y> " + Samples.hostile
    let crash = RunError(.crashed, name, standardErrorTail: [name])
    let result = Samples.result(
      0, name, caseName: name, verdict: .errored, findings: [.runError(crash)],
      output: Samples.output)
    let document = try document(Samples.fold([result]))
    for path in ["//script", "//img", "//link", "//@src", "//@href", "//@onerror"] {
      #expect(try strings(document, path).isEmpty)
    }
    #expect(try strings(document, "//summary/b") == [Sanitizer.line("\(name) [\(name)]")])
    #expect(
      try strings(document, "//meta[@http-equiv]/@content").first?.hasPrefix("default-src 'none'")
        == true)
  }

  @Test("ends in a line for each where hundreds went wrong, and says what a retry was for")
  func limits() throws {
    let failed = (0..<600).map {
      Samples.result($0, "S \($0)", verdict: .failed, findings: [Samples.duplicate])
    }
    let document = try document(Samples.fold(failed))
    #expect(try strings(document, "//section[@class='failed']/details").count == 500)
    #expect(try strings(document, "//section[@class='failed']/details[@open]").count == 20)
    #expect(try strings(document, "//section[@class='failed']/table/tbody/tr").count == 100)
    let attempts = try strings(self.document(), "//section[@class='attempt']/h3")
    #expect(attempts == ["Attempt 1 errored", "Attempt 1 failed"])
  }

  @Test("says which shard and which seed it is of")
  func header() throws {
    let header = RunHeader(
      version: "1.2", startedAt: Date(timeIntervalSince1970: 1_800_000_000), scenarioCount: 0,
      jobs: 3, shard: Shard(index: 2, total: 5), shuffleSeed: 7)
    var result = RunResult()
    result.apply(.runStarted(header))
    let facts = try strings(document(result), "//dl/div")
    #expect(facts.contains("shard2 of 5"))
    #expect(facts.contains("shuffled with seed7"))
    #expect(facts.contains("started2027-01-15T08:00:00.000Z"))
  }
}
