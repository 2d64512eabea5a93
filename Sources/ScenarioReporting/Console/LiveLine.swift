import ScenarioCore
import SourceText

/// The last line of a terminal: how far the run is, and what runs now.
struct LiveLine {
  private let options: ConsoleOptions
  private var total = 0
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
    guard options.isLive, done < total else { return "" }
    let failures = unsuccessful > 0 ? ", \(unsuccessful) not passed" : ""
    let names = running.map { options.outlet.line($0.name) }.joined(separator: ", ")
    let time = Seconds.text(ContinuousClock.now - start)
    let text = "\(done)/\(total)\(failures)  \(time)  \(names)"
    let shown = DisplayText.prefix(text, columns: max(0, options.width() - 1))
    return options.style.paint(String(shown), .dim)
  }

  private mutating func remove(_ scenario: ScenarioReference) {
    if let place = running.firstIndex(of: scenario) { running.remove(at: place) }
  }
}
