import ScenarioCore
import SourceText

/// Shows a run to people: a line for each result, a live line on a terminal, and what did not pass
/// again at the end.
package final class ConsoleReporter: Reporter {
  package let name = "the console output"
  private let options: ConsoleOptions
  private let output: any TextOutput
  private var liveLine: LiveLine
  private var isFinished = false

  package init(options: ConsoleOptions, output: any TextOutput) {
    self.options = options
    self.output = output
    liveLine = LiveLine(options: options)
  }

  package func handle(_ event: RunEvent, _ result: RunResult) throws {
    liveLine.apply(event)
    switch event {
    case .runStarted(let header): try show(openingLines(header))
    case .scenarioFinished(let finished): try show(resultLines(finished))
    case .attemptFailed(let attempt): try show(retryLines(attempt))
    case .runFinished: try finish(result)
    default: try redraw()
    }
  }

  /// Redraws the live line, for the time that passes without an event.
  package func tick() throws { try redraw() }

  private func show(_ lines: [String]) throws {
    let text = lines.map { $0 + "\n" }.joined()
    guard !text.isEmpty || options.isLive else { return }
    try output.write(options.erasure + text + liveLine.drawn)
  }

  private func redraw() throws {
    if options.isLive, !isFinished { try output.write(options.erasure + liveLine.drawn) }
  }

  private func finish(_ result: RunResult) throws {
    isFinished = true
    let summary = RunSummary(options: options).lines(result)
    try output.write(options.erasure + summary.map { $0 + "\n" }.joined())
  }

  /// A seal that isn't whole comes first, whatever the detail.
  private func openingLines(_ header: RunHeader) -> [String] {
    var lines: [String] = []
    // Said whatever the detail: who did not ask for a part must see that it is one.
    if let shard = header.shard, let whole = header.whole, shard.total > 1 {
      lines.append(ShardText.line(shard, of: whole, source: header.shardSource))
    }
    guard let seal = header.seal else { return lines }
    if SealText.isImportant(seal) { return [SealText.line(seal)] + lines }
    return lines + (options.detail == .verbose ? [SealText.line(seal)] : [])
  }

  private func resultLines(_ result: ScenarioResult) -> [String] {
    if options.detail == .quiet, !result.isUnsuccessful { return [] }
    let line = ResultLine(outlet: options.outlet, style: options.style).line(result)
    return [line] + traceLines(result)
  }

  private func traceLines(_ result: ScenarioResult) -> [String] {
    guard options.detail == .verbose else { return [] }
    let outlet = options.outlet.hiding(credentialsOf: result)
    return TraceText(outlet, style: options.style).lines(result.trace).map { "  " + $0 }
  }

  private func retryLines(_ result: ScenarioResult) -> [String] {
    guard options.detail != .quiet else { return [] }
    let outlet = options.outlet.hiding(credentialsOf: result)
    let words = FindingText(outlet)
    return [ResultLine(outlet: outlet, style: options.style).line(result) + ", tried again"]
      + result.findings.map { finding in
        let headline = words.headline(finding)
        let differences = words.differences(finding).filter { $0 != headline }
        return "  \(words.place(finding, in: result.scenario)): \(headline)"
          + (differences.isEmpty ? "" : " (\(differences.joined(separator: "; ")))")
      }
  }
}

/// How the console shows a run.
package struct ConsoleOptions: Sendable {
  package enum Detail: Sendable {
    /// Only what did not pass, and the summary.
    case quiet
    /// A line for each result.
    case normal
    /// Each action and what it sent, too.
    case verbose
  }

  package var detail: Detail
  package var style: TextStyle
  /// What all output goes through.
  package var outlet: Outlet
  /// Whether a live line can be redrawn.
  package var isLive: Bool
  /// Characters a line of a terminal; `nil`: lines are never broken.
  package var width: @Sendable () -> Int?
  /// What runs a scenario again: the words before its `file:line`.
  package var rerunCommand: String

  /// For text: a longer line is harder to read.
  var textWidth: Int { width().map { max(40, min($0, 100)) } ?? FindingText.unbroken }

  /// What takes the live line away.
  package var erasure: String { isLive ? "\r\u{1B}[K" : "" }

  package init(
    detail: Detail = .normal, style: TextStyle = TextStyle(isColored: false),
    outlet: Outlet = Outlet(), isLive: Bool = false,
    width: @escaping @Sendable () -> Int? = { 80 }, rerunCommand: String = "scenario-run"
  ) {
    self.detail = detail
    self.style = style
    self.outlet = outlet
    self.isLive = isLive
    self.width = width
    self.rerunCommand = rerunCommand
  }
}

/// The last line of a terminal: how far the run is, and what runs now.
struct LiveLine {
  private let options: ConsoleOptions
  /// `nil` while nobody knows it.
  private var total: Int? = 0
  private var done = 0
  private var unsuccessful = 0
  private var running: [ScenarioReference] = []
  private var start = ContinuousClock.now

  init(options: ConsoleOptions) {
    self.options = options
  }

  mutating func apply(_ event: RunEvent) {
    switch event {
    case .runStarted(let header):
      total = header.scenarioCount
      start = .now
    case .planned(let count): total = count
    case .scenarioStarted(let scenario, _): running.append(scenario)
    case .attemptFailed(let result): remove(result.scenario)
    case .scenarioFinished(let result):
      remove(result.scenario)
      done += 1
      unsuccessful += result.isUnsuccessful ? 1 : 0
    default: break
    }
  }

  /// The line as it is now, cut at the width of the terminal so that it never wraps.
  var drawn: String {
    guard options.isLive, done < total ?? .max else { return "" }
    let failures = unsuccessful > 0 ? ", \(unsuccessful) not passed" : ""
    let names = running.map { options.outlet.line($0.name) }.joined(separator: ", ")
    let time = Seconds.text(ContinuousClock.now - start)
    let count = total.map { "\(done)/\($0)" } ?? "\(done)"
    let text = "\(count)\(failures)  \(time)  \(names)"
    let shown = DisplayText.prefix(text, columns: max(0, (options.width() ?? 80) - 1))
    return options.style.paint(String(shown), .dim)
  }

  private mutating func remove(_ scenario: ScenarioReference) {
    if let place = running.firstIndex(of: scenario) { running.remove(at: place) }
  }
}
