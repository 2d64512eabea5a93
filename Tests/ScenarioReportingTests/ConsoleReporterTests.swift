import HarnessProtocol
import SourceText
import Synchronization
import Testing

@testable import ScenarioCore
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
            sent instead:
              https://ad.example.com/click?ad=A-1&area=item
              sent at 0.031 s by action 2, tap cartButton
              parameter area
                - wanted "cart"
                + got    "item"
          run again: scenario-run Scenarios/cart.json:1

        1 passed, 1 failed in 9.00 s

        """)
  }

  @Test("tells a fault that several scenarios have once, with their names, and the rest shortened")
  func groups() {
    let other = Finding.actionFailed(
      ActionFailure(step: Samples.step, error: RPCError(.elementNotFound, "No cart.")))
    let results = [
      Samples.result(0, "A", verdict: .failed, findings: [Samples.wrongCount]),
      Samples.result(1, "B", verdict: .failed, findings: [Samples.wrongCount, other]),
      Samples.result(2, "C", verdict: .failed, findings: [Samples.duplicate]),
    ]
    let text = shown(results, ConsoleOptions())
    #expect(text.contains("\n\n2 scenarios: parameter area, wanted cart, got item\n  A\n  B\n\n"))
    #expect(
      text.contains(
        """

        FAILED  B
          Scenarios/cart.json:2:3: wanted 1, got 0: https://ad.example.com/click?ad=A-1&area=cart
          Scenarios/cart.json:2:3
            action 2, tap cartButton: No cart.
          run again: scenario-run Scenarios/cart.json:1

        """))
    #expect(text.count(of: "sent instead:") == 1)
    #expect(shown(results, ConsoleOptions(detail: .verbose)).count(of: "sent instead:") == 2)
  }

  @Test("names only what has most in common, each scenario once, and what is told first of equals")
  func groupChoice() {
    func failed(_ index: Int, _ findings: [Finding]) -> ScenarioResult {
      Samples.result(index, verdict: .failed, findings: findings)
    }
    let groups = FailureGroups(
      [
        failed(0, [Samples.duplicate, Samples.wrongCount]), failed(1, [Samples.wrongCount]),
        failed(2, [Samples.wrongCount, Samples.crashed]), failed(3, [Samples.crashed]),
        failed(4, [Samples.unexpected, Samples.duplicate]),
        failed(5, [Samples.unexpected, Samples.duplicate]),
      ], Outlet()
    ).groups
    #expect(groups.map { $0.results.map(\.index) } == [[0, 4, 5], [1, 2]])
    #expect(
      groups.map(\.difference) == [
        "wanted 1, got 2: https://ad.example.com/click", "parameter area, wanted cart, got item",
      ])
  }

  @Test("says at once why a scenario is tried again, and again at the end of one that is flaky")
  func retries() {
    let attempt = Samples.result(0, verdict: .failed, findings: [Samples.duplicate])
    let screen = Screen()
    let pipeline = ReportingPipeline([ConsoleReporter(options: ConsoleOptions(), output: screen)])
    var events = Samples.events([Samples.result(0, earlier: [attempt])])
    events.insert(.attemptFailed(attempt), at: 2)
    for event in events { pipeline.handle(event) }
    #expect(
      screen.text.hasPrefix(
        """
        FAILED   Cart  1.23 s, tried again
          Scenarios/cart.json:2:3: wanted 1, got 2: https://ad.example.com/click
        flaky    Cart  1.23 s

        flaky  Cart
          attempt 2 passed; attempt 1 failed like this:
          Scenarios/cart.json:2:3
            wanted 1, got 2

        """))
    let other = Samples.result(0, verdict: .failed, findings: [Samples.wrongCount])
    pipeline.handle(.attemptFailed(other))
    #expect(
      screen.text.hasSuffix(
        ": wanted 1, got 0: https://ad.example.com/click?ad=A-1&area=cart"
          + " (parameter area, wanted cart, got item)\n"), "\(screen.text)")
  }

  @Test("breaks lines on a terminal alone, and tells the faults of a file once")
  func lines() {
    let long = "https://ad.example.com/" + String(repeating: "long&", count: 100)
    let count = WrongCount(
      scope: .expected, pattern: long, wanted: .exactly(1), got: 0, location: Samples.location)
    let fault = Diagnostic(
      .error, "\"tpa\" isn't a verb.", at: Samples.location, suggestions: ["tap"])
    let invalid = Finding.runError(
      RunError(.invalidInput, "The scenario is invalid.", diagnostics: [fault]))
    let results = [
      Samples.result(0, verdict: .failed, findings: [.wrongCount(count)]),
      Samples.result(1, verdict: .errored, findings: [invalid]),
    ]
    #expect(!shown(results, ConsoleOptions()).contains(long))
    let piped = shown(results, ConsoleOptions(width: { nil }))
    #expect(piped.contains("    " + long + "\n"))
    #expect(!piped.contains("tpa"))
    let report = FindingText(Outlet()).text(of: results[1])
    #expect(report.contains("^^^^^^^^^ did you mean \"tap\"?"))
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
    let page = HTMLFinding(Outlet()).table(occurrences, of: 3, below: count.pattern).joined()
    #expect(urls.allSatisfy(page.contains))
    let known = HTMLFinding(Outlet()).table([occurrences[0]], of: 1, below: urls[0]).joined()
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

extension String {
  fileprivate func count(of part: String) -> Int { ranges(of: part).count }
}
