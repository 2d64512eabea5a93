import JSON
import RequestMatching
import ScenarioAuthoring

/// Words what was made of a capture.
package struct ImportText {
  private let outlet: Outlet
  private let style: TextStyle
  private let programName: String

  /// - Parameter programName: how commands that are shown begin.
  package init(_ outlet: Outlet, style: TextStyle, programName: String = "scenario-run") {
    self.outlet = outlet
    self.style = style
    self.programName = programName
  }

  /// Why a capture can't be imported.
  package static func words(for problem: CaptureImport.Problem) -> String {
    switch problem {
    case .invalidJSON(let error): "it isn't valid JSON: \(error)."
    case .noCapture:
      "it isn't HAR, which has \"entries\" in a \"log\". Export the traffic as HAR: in Charles with Export"
        + " Session… as HTTP Archive, in Proxyman with Export as HAR, in mitmproxy with the command save.har."
    case .nothingAnswered: "none of its requests was answered. Capture some traffic, and export it."
    }
  }

  /// - Parameters:
  ///   - fixture: the path of the fixture, if there is one.
  ///   - scenario: the path of the scenario.
  package func lines(_ imported: CaptureImport, fixture: String, scenario: String) -> [String] {
    let (fixture, scenario) = (outlet.line(fixture), outlet.line(scenario))
    let unanswered = imported.fixtureCount - imported.answeredCount
    let count = "\(imported.fixtureCount) of \(imported.entryCount) requests"
    var lines =
      imported.fixture == nil
      ? ["Everything looks like tracking, so no fixture was written."]
      : ["\(fixture): \(count)" + (unanswered > 0 ? ", \(unanswered) without an answer" : "")]
    lines += imported.redactions.map { "  " + line($0, imported) }
    if !imported.foreignPlaceholders.isEmpty { lines.append(foreign(imported.foreignPlaceholders)) }
    lines.append("\(scenario): continue with \(programName) play \(scenario)")
    guard !imported.tracking.isEmpty else { return lines }
    let number = Wording.counted(imported.tracking.count, "expectation")
    lines.append("\(scenario).pending: \(number) to review with \(programName) review \(scenario)")
    return lines + imported.tracking.map { "  " + line($0) }
  }

  private func foreign(_ placeholders: [String]) -> String {
    let shown = placeholders.prefix(5)
    let rest = placeholders.count - shown.count
    let names = Wording.list(shown + (rest > 0 ? ["\(rest) more"] : []))
    let isOne = placeholders.count == 1
    return style.paint("  ! ", .yellow)
      + "\(names) \(isOne ? "stands in a URL" : "stand in URLs"), and no answer gives "
      + "\(isOne ? "it" : "them") to the app: where the app has a value of its own there, write that into the"
      + " fixture, or give the app this one."
  }

  private func line(_ redaction: Redaction, _ imported: CaptureImport) -> String {
    let kind =
      switch redaction.kind {
      case .credential: "credential"
      case .cookie: "cookie"
      case .token: "token"
      case .emailAddress: "e-mail address"
      }
    let places = redaction.count == 1 ? "" : ", in \(redaction.count) places"
    return "\(redaction.placeholder): \(kind), \(place(redaction.place, imported))\(places)"
  }

  private func place(_ place: Redaction.Place, _ imported: CaptureImport) -> String {
    let part =
      switch place.part {
      case .header(let name): "header \"\(outlet.line(name))\""
      case .cookie(let name): "cookie \"\(outlet.line(name))\""
      case .parameter(let name): "parameter \"\(outlet.line(name))\""
      case .body(let names) where names.isEmpty: "body"
      case .body(let names): "body \(outlet.line(Self.path(names)))"
      case .url: "URL"
      case .member(let key): "\"\(outlet.line(key))\""
      }
    guard imported.titles.indices.contains(place.entry - 1) else { return part }
    let title = outlet.line(imported.titles[place.entry - 1])
    return "\(part) of \(place.isAnswer ? "the answer to " : "")request \(place.entry), \(title)"
  }

  private static func path(_ names: [String]) -> String {
    names.reduce("$") { $1 == "[]" ? $0 + "[]" : $0 + ".\($1)" }
  }

  private func line(_ tracking: CaptureImport.Tracking) -> String {
    let expectation = tracking.expectation
    let url = expectation["url"]?.string ?? expectation["urlPattern"]?.string ?? ""
    let method = expectation["method"]?.string ?? "GET"
    let subject = expectation["event"]?.string.map { "event \"\($0)\"" } ?? "\(method) \(url)"
    let count = expectation["count"]?.int ?? 0
    let times = count == 1 ? "once" : "\(count) times"
    return outlet.line(subject) + ", \(times): " + style.paint(reason(tracking), .dim)
  }

  private func reason(_ tracking: CaptureImport.Tracking) -> String {
    switch tracking.reason {
    case .namedHost: "its host is listed as tracking"
    case .collector: "its host is known to collect tracking"
    case .events(let decoder): "it carries events of \(decoder)"
    case .pixel: "its answer is a tiny picture"
    case .noContent: "it was answered with 204"
    }
  }
}
