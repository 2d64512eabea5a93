import ScenarioCore

/// Writes each event at once, as a line of JSON.
package final class EventsReporter: Reporter {
  package let name = "the event stream"
  private let path: String
  private let outlet: Outlet
  private let now: () -> ContinuousClock.Instant
  private var start: ContinuousClock.Instant
  private var output: LineOutput?

  /// - Parameters:
  ///   - path: a file, or what `ReportPath` knows.
  ///   - outlet: what all output goes through.
  ///   - now: reads the clock.
  package init(
    path: String, outlet: Outlet = Outlet(),
    now: @escaping () -> ContinuousClock.Instant = { ContinuousClock.now }
  ) {
    self.path = path
    self.outlet = outlet
    self.now = now
    start = now()
  }

  package func handle(_ event: RunEvent, _ result: RunResult) throws {
    if case .runStarted = event { output = try LineOutput(path: path) }
    let instant = now()
    if case .runStarted = event { start = instant }
    let outlet = outlet.hiding(credentialsOf: event)
    var line = EventsVersion1.record(event, result, at: instant - start, outlet)
      .line(through: outlet)
    line.append(UInt8(ascii: "\n"))
    try output?.write(line)
    if case .runFinished = event {
      try output?.close()
      output = nil
    }
  }
}
