import ScenarioCore
import SourceText
import Synchronization
import Testing

@testable import ScenarioReporting

@Suite("The console")
struct ConsoleReporterTests {
  final class Screen: TextOutput {
    private let written = Mutex("")
    var text: String { written.withLock { $0 } }
    func write(_ text: String) { written.withLock { $0 += text } }
  }

  private func shown(_ results: [ScenarioResult], _ options: ConsoleOptions) -> String {
    let screen = Screen()
    let pipeline = ReportingPipeline([ConsoleReporter(options: options, output: screen)])
    for event in Samples.events(results) { pipeline.handle(event) }
    return screen.text
  }

  @Test("shows a line for each result, then what did not pass again, then the counts")
  func normal() {
    let results = [
      Samples.result(0), Samples.result(1, verdict: .failed, findings: [Samples.wrongCount]),
    ]
    #expect(
      shown(results, ConsoleOptions()) == """
        passed   Cart  1.23 s
        FAILED   Cart  1.23 s

        FAILED  Cart
          Scenarios/cart.json:2:3
            wanted 1, got 0
            https://ad.example.com/click?ad=A-1&area=cart
            from action 2, tap cartButton
            instead came:
              https://ad.example.com/click?ad=A-1&area=item
              sent at 0.031 s by action 2, tap cartButton
              parameter area
                - wanted "cart"
                + got    "item"
          run again: scenario-run Scenarios/cart.json:1

        1 passed, 1 failed in 9.00 s

        """)
  }

  @Test("shows which requests a pattern counted, each URL once")
  func patterns() {
    let urls = ["https://ad.example.com/a", "https://ad.example.com/b", "https://ad.example.com/b"]
    let occurrences = urls.map { RequestOccurrence(url: $0, time: 0.5, cause: .launch) }
    let count = WrongCount(
      scope: .expected, pattern: "~https://ad[.].*", wanted: .exactly(0), got: 3,
      location: Samples.location, matched: occurrences)
    #expect(
      FindingText(Outlet()).lines(.wrongCount(count), in: Samples.result().scenario).dropFirst()
        == [
          "  wanted 0, got 3",
          "  ~https://ad[.].*",
          "  https://ad.example.com/a",
          "    sent at 0.500 s by the launch",
          "  https://ad.example.com/b",
          "    sent at 0.500 s by the launch",
          "    sent at 0.500 s by the launch",
        ])
    let page = HTMLRequests(Outlet()).table(occurrences, of: 3, below: count.pattern).joined()
    #expect(urls.allSatisfy(page.contains))
    let known = HTMLRequests(Outlet()).table([occurrences[0]], of: 1, below: urls[0]).joined()
    #expect(!known.contains(urls[0]))
  }

  @Test("is quiet if asked to")
  func quiet() {
    #expect(shown([Samples.result()], ConsoleOptions(detail: .quiet)) == "1 passed in 9.00 s\n")
  }

  @Test("writes no escape codes unless they are asked for")
  func plain() {
    let all = Array(Samples.run.results)
    #expect(!shown(all, ConsoleOptions()).contains("\u{1B}"))
    let colored = ConsoleOptions(style: TextStyle(isColored: true))
    #expect(shown(all, colored).contains("\u{1B}[31mFAILED \u{1B}[0m"))
  }

  @Test("a live line never wraps, and is gone at the end")
  func live() {
    let text = shown(
      [Samples.result(0, String(repeating: "long ", count: 50))],
      ConsoleOptions(isLive: true, width: { 40 }))
    let drawn = text.split(separator: "\r\u{1B}[K", omittingEmptySubsequences: true)
    #expect(drawn.contains { $0.hasPrefix("0/1  ") && $0.count == 39 })
    #expect(text.hasSuffix("\r\u{1B}[K\n1 passed in 9.00 s\n"))
  }

  @Test("a live line never wraps where its characters are wide")
  func wide() {
    let text = shown(
      [Samples.result(0, String(repeating: "장바구니 ", count: 20))],
      ConsoleOptions(isLive: true, width: { 40 }))
    let drawn = text.split(separator: "\r\u{1B}[K", omittingEmptySubsequences: true)
      .filter { $0.hasPrefix("0/1  ") }.map { DisplayText.width(String($0)) }
    #expect(!drawn.isEmpty && drawn.allSatisfy { $0 <= 39 } && drawn.contains { $0 >= 38 })
  }

  @Test("a live line shows the time that passes, until the run has ended")
  func ticks() {
    let screen = Screen()
    let pipeline = ReportingPipeline([
      ConsoleReporter(options: ConsoleOptions(isLive: true), output: screen)
    ])
    // Interrupted: one scenario of two has run.
    let events = Samples.events([Samples.result(0), Samples.result(1)])
    for event in events.prefix(4) { pipeline.handle(event) }
    let before = screen.text
    pipeline.tick()
    #expect(screen.text.dropFirst(before.count).hasPrefix("\r\u{1B}[K1/2  "))
    pipeline.handle(events[events.count - 1])
    let after = screen.text
    pipeline.tick()
    #expect(screen.text == after)
  }

  @Test("a long URL stays readable in 80 columns, broken at its parameters")
  func longURL() {
    let url =
      "https://ad.example.com/impression?campaign=2026-autumn-sale&placement=search-result-list"
      + "&item=A-1&position=0&session=6f1e"
    #expect(
      URLText.lines(url, width: 70) == [
        "https://ad.example.com/impression",
        "  ?campaign=2026-autumn-sale&placement=search-result-list&item=A-1",
        "  &position=0&session=6f1e",
      ])
  }
}
