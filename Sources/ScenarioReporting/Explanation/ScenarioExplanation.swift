import HarnessProtocol
import ScenarioCore

/// Tells a scenario in plain sentences, for somebody who reads no JSON.
package struct ScenarioExplanation {
  private let scenario: Scenario
  private var lines: [String] = []

  private init(_ scenario: Scenario) {
    self.scenario = scenario
  }

  /// The lines as they are meant: what a name brings along is still in them.
  package static func lines(of scenario: Scenario) -> [String] {
    var explanation = ScenarioExplanation(scenario)
    explanation.tellHead()
    explanation.tellLaunch()
    explanation.tellSteps()
    explanation.tellExpectations()
    return explanation.lines
  }

  private mutating func tellHead() {
    lines.append(scenario.reference.name)
    lines.append(String(repeating: "=", count: scenario.reference.name.count))
    lines += (scenario.description ?? "").split(whereSeparator: \.isNewline).map(String.init)
    if let reason = scenario.skipReason { lines.append("It is not run: \(reason)") }
    if let reason = scenario.knownIssue { lines.append("It is known to fail: \(reason)") }
    if !scenario.reference.tags.isEmpty {
      lines.append("Tags: \(scenario.reference.tags.joined(separator: ", ")).")
    }
  }

  private mutating func tellLaunch() {
    heading("At the start")
    let program = scenario.app?.first.map { "The app \"\($0)\"" } ?? "The app"
    let arguments = (scenario.app ?? []).dropFirst() + scenario.arguments
    let with = arguments.isEmpty ? "" : " with the arguments \(arguments.joined(separator: " "))"
    lines.append("  \(program) is launched\(with).")
    lines += sent(scenario.launch?.sends).map { "  " + $0 }
    if let date = scenario.startDate { lines.append("  Its clock starts at \(date).") }
    if let schedule = scenario.schedule {
      lines.append("  Its answers come one at a time: \(schedule).")
    }
    for fixture in scenario.fixtures {
      lines.append("  \(fixture.key) is faked with the file \(fixture.file.path).")
    }
    if !scenario.stubs.isEmpty {
      let files = Wording.list(scenario.stubs.map(\.path))
      lines.append("  Requests to the network are answered from \(files).")
    }
    for (name, value) in scenario.environment.sorted(by: { $0.key < $1.key }) {
      lines.append("  \(name) is \"\(value)\".")
    }
  }

  private mutating func tellSteps() {
    heading("What the user does")
    if scenario.steps.isEmpty { lines.append("  Nothing: the app is only launched.") }
    var start = 0
    while start < scenario.steps.count {
      let sentences = sentences(scenario.steps[start])
      var end = start + 1
      while end < scenario.steps.count, self.sentences(scenario.steps[end]) == sentences {
        end += 1
      }
      tell(sentences, steps: start..<end)
      start = end
    }
    for group in scenario.groups where !group.stepIDs.isEmpty {
      let last = group.stepIDs.upperBound - 1
      lines.append("  Together, \(group.stepIDs.lowerBound) to \(last) send:")
      lines += requests(group.sends, indent: "    ")
    }
  }

  private mutating func tell(_ sentences: [String], steps: Range<Int>) {
    let first = scenario.steps[steps.lowerBound].id
    let number = steps.count == 1 ? "\(first)." : "\(first) to \(first + steps.count - 1)."
    let times = steps.count == 1 ? "" : " (\(steps.count) times, one after the other)"
    lines.append("  \(number) \(sentences[0])\(times)")
    lines += sentences.dropFirst().map { "     " + $0 }
  }

  private func sentences(_ step: Step) -> [String] {
    var sentences = [step.name.map { "\($0): " } ?? ""]
    sentences[0] += ActionWording.sentence(step.action)
    if case .expectRequests(let expectations) = step.action {
      sentences += requests(expectations, indent: "  ")
    }
    return sentences + sent(step.sends)
  }

  private func sent(_ sends: [Expectation]?) -> [String] {
    guard let sends else { return [] }
    if sends.isEmpty { return ["This sends nothing."] }
    return ["This sends, and nothing else:"] + requests(sends, indent: "  ")
  }

  private mutating func tellExpectations() {
    heading("What must have been sent in the end")
    if scenario.expected.isEmpty {
      lines.append("  No request is named.")
    } else {
      lines += requests(scenario.expected, indent: "  ")
    }
    lines.append("  " + rest)
    if let plan = scenario.trackingPlan {
      let events = Wording.counted(plan.events.count, "event")
      lines.append("  Every event is checked by the tracking plan, which has \(events).")
    }
    if !scenario.volatileParameters.isEmpty {
      let names = Wording.list(scenario.volatileParameters)
      lines.append("  The value of \(names) in a URL does not matter.")
    }
    if let timeout = scenario.timeout {
      lines.append("  All of it may take \(Wording.seconds(timeout)).")
    }
  }

  /// What becomes of requests that are not named.
  private var rest: String {
    if scenario.unexpected == .allow { return "Other requests are allowed." }
    guard let hosts = scenario.tracking else {
      return "Any other request \(consequence)."
    }
    let tracked = hosts.isEmpty ? "" : ", and any other to \(Wording.list(hosts)),"
    return "Any other request that no stub answers\(tracked) \(consequence)."
  }

  private var consequence: String {
    scenario.unexpected == .warn ? "is warned about" : "makes the scenario fail"
  }

  private func requests(_ expectations: [Expectation], indent: String) -> [String] {
    expectations.map { indent + "- " + RequestWording.sentence($0) }
  }

  private mutating func heading(_ text: String) {
    lines += ["", text]
  }
}
