import ScenarioCore

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
    case .stepStarted(let scenario, let step) where options.detail == .verbose:
      try show([
        "  \(options.outlet.line(scenario.name)): \(step.id) \(options.outlet.line(step.title))"
      ])
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
    let shard = shardLines(header)
    guard let seal = header.seal else { return shard }
    if SealText.isImportant(seal) { return [SealText.line(seal)] + shard }
    return shard + (options.detail == .verbose ? [SealText.line(seal)] : [])
  }

  /// Said whatever the detail: who did not ask for a part must see that it is one.
  private func shardLines(_ header: RunHeader) -> [String] {
    guard let shard = header.shard, let whole = header.whole, shard.total > 1 else { return [] }
    return [ShardText.line(shard, of: whole, source: header.shardSource)]
  }

  private func resultLines(_ result: ScenarioResult) -> [String] {
    if options.detail == .quiet, !result.isUnsuccessful { return [] }
    return [ResultLine(outlet: options.outlet, style: options.style).line(result)]
  }

  private func retryLines(_ result: ScenarioResult) -> [String] {
    guard options.detail != .quiet else { return [] }
    return [ResultLine(outlet: options.outlet, style: options.style).line(result) + ", tried again"]
  }
}
