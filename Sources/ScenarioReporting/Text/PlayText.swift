import HarnessProtocol
import ScenarioCore
import SourceText

/// What an action of a live scenario did, for the person who watches.
package struct PlayText {
  let trace: TraceText
  let outlet: Outlet
  let style: TextStyle

  package init(_ outlet: Outlet, style: TextStyle) {
    self.outlet = outlet
    self.style = style
    // Lines stay whole, so that URLs and paths can be copied.
    trace = TraceText(outlet, style: style)
  }

  /// A launch key for which the app asked.
  package struct AskedKey: Sendable {
    package var name: String
    /// What it was given; `nil` where nobody gave anything.
    package var value: String?

    package init(name: String, value: String?) {
      self.name = name
      self.value = value
    }
  }

  /// The action with all that came of it.
  ///
  /// - Parameters:
  ///   - keys: for which the app asked meanwhile.
  ///   - screen: the lines of what changed; `nil` where the app can't tell.
  ///   - ending: why the app is not there any more.
  package func lines(
    _ action: TracedAction, keys: [AskedKey], screen: [String]?, ending: RunError? = nil
  ) -> [String] {
    let title = style.paint(trace.title(of: action), .bold)
    let asked = keys.map { key in
      outlet.line(key.name) + ": "
        + (key.value.map { outlet.line($0) } ?? style.paint("not given", .yellow))
    }
    let error =
      (action.error.map { [style.paint(outlet.line($0.message), .red)] } ?? [])
      + (ending.map(lines) ?? [])
    let sent = action.requests.flatMap { trace.lines($0) }
    let sections =
      section("asked for", asked) + section("sent", sent)
      + section("couldn't decode", action.undecodable.flatMap(placed))
      + section("on screen", screen ?? [])
    if sections.isEmpty, error.isEmpty {
      let screen = screen == nil ? "" : ", nothing changed on screen"
      return [title, style.paint("  nothing was sent\(screen)", .dim)]
    }
    return [title] + error.map { "  " + $0 } + sections
  }

  /// What is wrong in a file, with its place and the line there.
  private func placed(_ diagnostic: Diagnostic) -> [String] {
    let place = diagnostic.location?.description ?? diagnostic.path
    let message = style.paint(outlet.line("\(place): \(diagnostic.message)"), .yellow)
    return [message] + excerpt(diagnostic)
  }

  private func excerpt(_ diagnostic: Diagnostic) -> [String] {
    guard let location = diagnostic.location else { return [] }
    let excerpt = SourceExcerpt(location, width: 96)
    return ["  " + excerpt.text, "  " + excerpt.underline]
  }

  private func section(_ name: String, _ lines: [String]) -> [String] {
    lines.isEmpty ? [] : [style.paint("  " + name, .dim)] + lines.map { "    " + $0 }
  }

  /// What is wrong with a typed line, with the place in it.
  package func lines(_ diagnostics: [Diagnostic]) -> [String] {
    diagnostics.flatMap { diagnostic in
      let hint = Wording.didYouMean(diagnostic.suggestions.map(outlet.masked)).capitalizedFirst
      return [style.paint(outlet.line(diagnostic.message), .red) + (hint.isEmpty ? "" : " " + hint)]
        + excerpt(diagnostic)
    }
  }

  /// The verdict of a scenario that was saved, with what is wrong.
  package func lines(_ result: ScenarioResult) -> [String] {
    let outlet = outlet.hiding(credentialsOf: result)
    let text = FindingText(outlet, style: style, width: FindingText.unbroken)
    let findings = result.findings.flatMap { text.lines($0, in: result.scenario) }
    let warnings = result.warnings.flatMap {
      text.lines($0, in: result.scenario, isWarning: true)
    }
    return [ResultLine(outlet: outlet, style: style).line(result)]
      + (findings + warnings).map { "  " + $0 }
  }

  /// Why the app is not there any more, with the end of what it said.
  package func lines(_ error: RunError) -> [String] {
    let message = style.paint(outlet.line(error.message), .red)
    guard !error.standardErrorTail.isEmpty else { return [message] }
    return [message, style.paint("  its stderr ended with", .dim)]
      + error.standardErrorTail.map { "    " + outlet.line($0) }
  }
}
