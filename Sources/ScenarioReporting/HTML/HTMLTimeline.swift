import HarnessProtocol
import ScenarioCore
import SourceText

/// What happened in a scenario, on the page: each action with its requests and the screen after it.
struct HTMLTimeline {
  private let trace: Trace
  private let outlet: Outlet
  private let html: HTMLText
  private let words: TraceText
  /// Whether requests are referred to by their numbers.
  private let hasEvents: Bool

  /// - Parameter outlet: hides the credentials of the result.
  init(_ trace: Trace, _ outlet: Outlet) {
    self.trace = trace
    self.outlet = outlet
    html = HTMLText(outlet)
    words = TraceText(outlet)
    hasEvents = trace.actions.contains { !$0.events.isEmpty }
  }

  /// - Returns: nothing where nobody asked for a trace, or no app was started.
  func text(isOpen: Bool) -> [String] {
    guard !trace.actions.isEmpty || !trace.unattributed.isEmpty else { return [] }
    var screen: Screen?
    let actions = trace.actions.map { action in
      defer { screen = action.screen ?? screen }
      return item(action, after: screen)
    }
    return [
      """
      <details class="timeline"\(isOpen ? " open=\"open\"" : "")>
      <summary>\(summary)</summary>
      <ol>
      \((actions + unattributed).joined(separator: "\n"))
      </ol>
      </details>
      """
    ]
  }

  private var summary: String {
    let steps = trace.actions.count { if case .step = $0.cause { true } else { false } }
    let requests = trace.requests.count + trace.omittedRequests
    let events = trace.actions.reduce(0) { $0 + $1.events.count }
    return "What happened: " + Wording.counted(steps, "action") + ", "
      + Wording.counted(requests, "request")
      + (events == 0 ? "" : ", " + Wording.counted(events, "event"))
  }

  private func item(_ action: TracedAction, after screen: Screen?) -> String {
    var parts = action.error.map { ["<p class=\"error\">\(html.short($0.message))</p>"] } ?? []
    parts += list(action.events.map(item)) + list(action.requests.map(item))
    if !action.askedKeys.isEmpty {
      parts.append(note("asked for " + action.askedKeys.joined(separator: ", ")))
    }
    if let shown = action.screen {
      let lines = ScreenText.outline(shown, outlet)
      parts.append(
        shown == screen
          ? note("the screen didn't change")
          : folded("screen", lines, attributes: " class=\"screen\""))
    }
    return "<li><b>\(html.escaped(words.title(of: action)))</b>\(moment(of: action))"
      + parts.map { "\n" + $0 }.joined() + "</li>"
  }

  private func note(_ text: String) -> String { "<p class=\"note\">\(html.short(text))</p>" }

  private func folded(_ summary: String, _ lines: [String], attributes: String = "") -> String {
    "<details\(attributes)><summary>\(summary)</summary>"
      + "<pre>\(lines.map(html.escaped).joined(separator: "\n"))</pre></details>"
  }

  private func list(_ items: [String]) -> [String] {
    items.isEmpty ? [] : ["<ul>\n" + items.joined(separator: "\n") + "\n</ul>"]
  }

  /// What the app's clock says after an action, and what waits for it.
  private func moment(of action: TracedAction) -> String {
    let timers =
      action.pendingTimers == 0 ? nil : Wording.counted(action.pendingTimers, "timer") + " pending"
    let next = action.nextTimer.map { "the next in \(Seconds.text($0))" }
    let words = [action.clock.map { Seconds.text($0) }, timers, next].compactMap(\.self)
    return words.isEmpty ? "" : " <span class=\"quiet\">\(words.joined(separator: ", "))</span>"
  }

  private var unattributed: [String] {
    let rest =
      trace.omittedRequests == 0
      ? [] : ["<p>… and \(Wording.counted(trace.omittedRequests, "more request"))</p>"]
    let parts = list(trace.unattributed.map(item)) + rest
    guard !parts.isEmpty else { return [] }
    return ["<li><b>by no action that the app names</b>\n\(parts.joined(separator: "\n"))</li>"]
  }

  private func item(_ traced: TracedRequest) -> String {
    let request = traced.request
    let line = html.short("\(request.method ?? "GET") \(request.url)")
    let content = content(of: request)
    let summary = request.body == nil ? "headers" : "headers and body"
    let number = hasEvents ? "<span class=\"quiet\">\(traced.number)</span> " : ""
    return "<li class=\"request\">\(number)<code>\(line)</code> <span class=\"quiet\">"
      + html.escaped(words.answer(to: request)) + "</span>"
      + (content.isEmpty ? "" : folded(summary, content)) + "</li>"
  }

  /// An event that the action tracked, whichever request carried it.
  private func item(_ traced: TracedEvent) -> String {
    let event = traced.event
    let place = event.count == 1 ? "" : "event \(event.number) of \(event.count) "
    let carrier = html.short("\(event.decoder), \(place)in request \(traced.request)")
    let retry = traced.isRetry ? ", sent again after a failure" : ""
    let content = BodyText.shown(outlet.lines(event.value.text(.pretty)))
    return "<li class=\"event\"><b>\(html.short(event.name))</b> <span class=\"quiet\">"
      + "\(carrier)\(retry)</span>\(folded("content", content))</li>"
  }

  /// Its headers, then its body.
  private func content(of request: RecordedRequest) -> [String] {
    let headers = request.headers.sorted { $0.key < $1.key }
      .map { outlet.line("\($0.key): \($0.value)") }
    let body = BodyText.lines(of: request, outlet)
    return headers + (headers.isEmpty || body.isEmpty ? [] : [""]) + body
  }
}

/// The lines of a scenario's files around what findings speak of.
struct HTMLSource {
  /// So many lines before and after each place.
  private static let context = 3
  private static let lineLength = 300

  private let outlet: Outlet

  /// - Parameter outlet: hides the credentials of the result.
  init(_ outlet: Outlet) { self.outlet = outlet }

  /// - Returns: for each file its lines, those that findings speak of marked.
  func text(_ findings: [Finding]) -> [String] {
    var files: [SourceFile] = []
    var lines: [ObjectIdentifier: Set<Int>] = [:]
    for location in findings.compactMap(\.location) {
      let file = location.file
      if lines[ObjectIdentifier(file)] == nil { files.append(file) }
      lines[ObjectIdentifier(file), default: []].insert(file.line(at: location.range.lowerBound))
    }
    return files.map { excerpt(of: outlet.masked($0), lines[ObjectIdentifier($0)] ?? []) }
  }

  private func excerpt(of file: SourceFile, _ marked: Set<Int>) -> String {
    let html = HTMLText(Outlet())
    let near = Set(marked.flatMap { ($0 - Self.context)...($0 + Self.context) })
    var shown: [String] = []
    var last = 0
    for number in near.sorted() where (1...file.lineStarts.count).contains(number) {
      if number > last + 1, last > 0 { shown.append("    …") }
      last = number
      let label = String(repeating: " ", count: max(0, 4 - "\(number)".count)) + "\(number)"
      let text = html.escaped(
        Sanitizer.line(String(file.text(ofLine: number).prefix(Self.lineLength))))
      shown.append(marked.contains(number) ? "<mark>\(label)  \(text)</mark>" : "\(label)  \(text)")
    }
    return """
      <div class="source"><h4>\(html.line(file.path))</h4>
      <pre>\(shown.joined(separator: "\n"))</pre></div>
      """
  }
}
