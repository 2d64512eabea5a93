import Foundation
import HarnessProtocol
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
        "groups failed", "failed", "errored", "flaky", "skipped", "passed",
      ])
    #expect(
      try strings(document, "/html/body/header/h1") == [
        "1 passed, 1 flaky, 3 failed, 1 errored, 1 skipped"
      ])
    #expect(try strings(document, "//section[@class='failed']/details").count == 3)
    #expect(try strings(document, "//label").count == 6)
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
    for path in ["//img", "//link", "//@src", "//@onerror"] {
      #expect(try strings(document, path).isEmpty)
    }
    #expect(try strings(document, "//script") == [HTMLStyle.script])
    #expect(try strings(document, "//@href").allSatisfy { $0.hasPrefix("#") })
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

  @Test("allows its own script alone, which has no character that XML would escape")
  func script() throws {
    let hash = Data(SHA256.hash(of: Array(HTMLStyle.script.utf8))).base64EncodedString()
    #expect(HTMLStyle.scriptHash == "sha256-\(hash)")
    #expect(!HTMLStyle.script.contains { "<&".contains($0) })
    #expect(!HTMLStyle.sheet.contains { "<&".contains($0) })
  }

  @Test("tells each action with its requests and the screen after it, of what passed as well")
  func timeline() throws {
    var result = Samples.result(0)
    result.trace = Samples.trace
    result.credentials = ["s3cret-token"]
    let document = try document(Samples.fold([result]))
    let items = "//section[@class='passed']/details//details[@class='timeline']/ol/li"
    #expect(
      try strings(document, "\(items)/b") == [
        "launch", "2 tap cartButton", "end", "by no action that the app names",
      ])
    #expect(
      try strings(document, "\(items)[2]//li[@class='request']/code") == [
        "GET https://ad.example.com/1", "POST https://ad.example.com/2",
        "POST https://ad.example.com/3", "POST https://ad.example.com/4",
      ])
    let bodies = try strings(document, "\(items)[2]//li[@class='request']//pre")
    #expect(bodies.first == "Authorization: Bearer ***\n\n{\n  \"who\": \"***\"\n}")
    #expect(
      try strings(document, "\(items)[2]/details[@class='screen']/pre") == [
        "window Search \"for ***\"\n  button cartButton \"Cart\" = \"1\" (disabled, not visible)"
      ])
    #expect(try strings(document, "\(items)[3]/p[@class='error']") == ["No element."])
  }

  @Test("shows the lines of a scenario around what a finding speaks of, that one marked")
  func source() throws {
    let failed = Samples.result(0, verdict: .failed, findings: [Samples.wrongCount])
    let document = try document(Samples.fold([failed]))
    #expect(
      try strings(document, "//div[@class='source']/pre") == [
        "   1  {\n   2    \"actions\": [],\n   3    \"expected\": []\n   4  }\n   5  "
      ])
    #expect(try strings(document, "//div[@class='source']//mark") == ["   2    \"actions\": [],"])
  }

  @Test("has the same address for a scenario wherever it stands, and another one for each")
  func anchors() throws {
    let results = [
      Samples.result(0, "A", caseName: "one <&> 한"), Samples.result(1, "A", caseName: "two"),
      Samples.result(2, "B"), Samples.result(3, "B"),
    ]
    let anchors = HTMLAnchors(results, Outlet())
    #expect(
      results.map { anchors[$0] } == [
        "Scenarios/cart.json-one-----한", "Scenarios/cart.json-two", "Scenarios/cart.json",
        "Scenarios/cart.json-(2)",
      ])
    var moved = results[1]
    moved.index = 7
    #expect(HTMLAnchors([moved], Outlet())[moved] == anchors[results[1]])
  }

  @Test("has the schedules of a sweep that failed below it, each with an address of its own")
  func sweeps() throws {
    var sweep = Samples.result(0, "A", verdict: .failed, findings: [.sweep(SweepCounts(.faults))])
    sweep.sweep = SweepCounts(.faults)
    let schedules = try ["POST /pay: lost", "POST /pay: 500"].map { text in
      var result = Samples.result(0, "A: \(text)", verdict: .failed, findings: [Samples.duplicate])
      result.schedule = try Schedule(text)
      return result
    }
    let other = Samples.result(1, "B", verdict: .failed, findings: [Samples.unexpected])
    let document = try document(Samples.fold([sweep] + schedules + [other]))
    let failed = "//section[@class='failed']"
    #expect(try strings(document, "\(failed)/details/summary/b") == ["A", "B"])
    let below = "\(failed)/details[1]/div/ul[@class='schedules']/li/details"
    #expect(
      try strings(document, "\(below)/summary/b") == ["A: POST /pay: lost", "A: POST /pay: 500"])
    let ids = try strings(document, "//@id").filter { $0.hasPrefix("Scenarios/") }
    #expect(ids.count == 4 && Set(ids).count == 4, "\(ids)")
  }

  @Test("says first what several failures have in common, and which these are")
  func groups() throws {
    let failed = (0..<3).map {
      Samples.result(
        $0, "S \($0)", caseName: "\($0)", verdict: .failed, findings: [Samples.wrongCount])
    }
    let document = try document(Samples.fold(failed))
    #expect(
      try strings(document, "//section[@class='groups failed']//p") == [
        "3 scenarios: parameter area, wanted cart, got item"
      ])
    #expect(
      try strings(document, "//section[@class='groups failed']//a") == [
        "S 0 [0]", "S 1 [1]", "S 2 [2]",
      ])
    let targets = try strings(document, "//section[@class='groups failed']//a/@href")
    let ids = try strings(document, "//section[@class='failed']/details/div/@id")
    #expect(targets == ids.map { "#" + $0 })
  }

  @Test("says which shard it is of")
  func header() throws {
    let header = RunHeader(
      version: "1.2", startedAt: Date(timeIntervalSince1970: 1_800_000_000), scenarioCount: 0,
      jobs: 3, shard: Shard(index: 2, total: 5))
    var result = RunResult()
    result.apply(.runStarted(header))
    let facts = try strings(document(result), "//dl/div")
    #expect(facts.contains("shard2 of 5"))
    #expect(facts.contains("started2027-01-15T08:00:00.000Z"))
  }
}

/// SHA-256 (FIPS 180-4), to check what the page says of its script.
private enum SHA256 {
  static func hash(of message: [UInt8]) -> [UInt8] {
    var state = roots(of: primes.prefix(8), power: 2)
    let constants = roots(of: primes[...], power: 3)
    var bytes = message + [0x80]
    while bytes.count % 64 != 56 { bytes.append(0) }
    bytes += withUnsafeBytes(of: UInt64(message.count * 8).bigEndian, Array.init)
    for start in stride(from: 0, to: bytes.count, by: 64) {
      compress(Array(bytes[start..<start + 64]), into: &state, constants)
    }
    return state.flatMap { word in withUnsafeBytes(of: word.bigEndian, Array.init) }
  }

  private static let primes = (2...311).filter { number in
    (2..<number).allSatisfy { number % $0 != 0 }
  }

  /// The first 32 bits of the fraction of each root.
  private static func roots(of numbers: ArraySlice<Int>, power: Int) -> [UInt32] {
    numbers.map { number in
      let root = power == 2 ? sqrt(Double(number)) : cbrt(Double(number))
      return UInt32((root - root.rounded(.down)) * 4_294_967_296)
    }
  }

  private static func compress(
    _ block: [UInt8], into state: inout [UInt32], _ constants: [UInt32]
  ) {
    func rotated(_ word: UInt32, _ count: UInt32) -> UInt32 {
      word >> count | word << (32 - count)
    }
    var words = (0..<16).map { index in
      block[index * 4..<index * 4 + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    }
    for index in 16..<64 {
      let (early, late) = (words[index - 15], words[index - 2])
      let first = rotated(early, 7) ^ rotated(early, 18) ^ early >> 3
      let second = rotated(late, 17) ^ rotated(late, 19) ^ late >> 10
      words.append(words[index - 16] &+ first &+ words[index - 7] &+ second)
    }
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    var (e, f, g, h) = (state[4], state[5], state[6], state[7])
    for index in 0..<64 {
      let first = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)
      let choice = (e & f) ^ (~e & g)
      let one = h &+ first &+ choice &+ constants[index] &+ words[index]
      let second = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)
      let two = second &+ ((a & b) ^ (a & c) ^ (b & c))
      (a, b, c, d, e, f, g, h) = (one &+ two, a, b, c, d &+ one, e, f, g)
    }
    state = zip(state, [a, b, c, d, e, f, g, h]).map { $0 &+ $1 }
  }
}
