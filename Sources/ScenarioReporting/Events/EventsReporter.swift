import ScenarioCore
import SourceText

/// Writes each event at once, as a line of JSON.
package final class EventsReporter: Reporter {
  package let name = "the event stream"
  private let path: String
  private let outlet: Outlet
  private let now: () -> ContinuousClock.Instant
  private var start: ContinuousClock.Instant
  private var output: LineOutput?
  /// What hides the credentials of the file whose faults are told one after the other.
  private var latest: (file: SourceFile, outlet: Outlet)?

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
    let outlet = outlet(for: event)
    var line = EventsVersion1.record(event, result, at: instant - start, outlet)
      .line(through: outlet)
    line.append(UInt8(ascii: "\n"))
    try output?.write(line)
    if case .runFinished = event {
      try output?.close()
      output = nil
    }
  }

  private func outlet(for event: RunEvent) -> Outlet {
    switch event {
    case .attemptFailed(let result), .scenarioFinished(let result):
      return outlet.hiding(credentialsOf: result)
    case .diagnosed(let diagnostic):
      guard let file = diagnostic.location?.file else { return outlet }
      if let latest, latest.file === file { return latest.outlet }
      let hiding = outlet.hiding(credentialsOf: diagnostic)
      latest = (file, hiding)
      return hiding
    case .runStarted, .planned, .scenarioStarted, .stepStarted, .interrupted, .runFinished:
      return outlet
    }
  }
}
