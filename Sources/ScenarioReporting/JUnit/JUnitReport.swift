import Foundation
import ScenarioCore

/// The run as JUnit XML: a suite for each scenario file, a case for each scenario or case.
///
/// The shape is Jenkins' `junit-10.xsd`.
package struct JUnitReport {
  /// How much of each stream of an app goes into the report.
  package static let outputLimitBytes = 64 * 1024

  let result: RunResult
  let hasFileAttribute: Bool
  private let shard: ShardProperties?
  private let outlet: Outlet

  /// - Parameters:
  ///   - outlet: what all output goes through.
  ///   - hasFileAttribute: whether cases say their `file` and `line`, which the schema does not know
  ///     but some readers use.
  package init(
    _ result: RunResult, _ outlet: Outlet = Outlet(), hasFileAttribute: Bool = false
  ) {
    self.result = result
    self.outlet = outlet
    self.hasFileAttribute = hasFileAttribute
    shard = ShardProperties(result)
  }

  package var text: String { String(decoding: ReportSink.bytes(write), as: UTF8.self) }

  package func write(to sink: ReportSink) throws {
    let names = ResultNames()
    let totals = Self.totals(count: result.results.count, hasSkipped: false, result.count)
    try sink.write(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <testsuites name="scenario-run"\(totals) time="\(XMLText.seconds(result.duration))">

      """)
    for suite in suites { try write(suite, names, to: sink) }
    try sink.write(emptyShard + "</testsuites>\n")
  }

  /// The results of each file, in the order in which the files come first.
  private var suites: [[ScenarioResult]] {
    var suites: [[ScenarioResult]] = []
    var places: [String: Int] = [:]
    for result in result.results {
      let place = places[result.scenario.path] ?? suites.count
      if place == suites.count {
        suites.append([])
        places[result.scenario.path] = place
      }
      suites[place].append(result)
    }
    return suites
  }

  private func write(
    _ suite: [ScenarioResult], _ names: ResultNames, to sink: ReportSink
  ) throws {
    let name = XMLText.attribute("name", outlet.masked(suite[0].scenario.path))
    // A known issue is told as skipped: readers know no word for it.
    let totals = Self.totals(count: suite.count) {
      suite.count($0) + ($0 == .skipped ? suite.known.count : 0)
    }
    let duration = suite.reduce(.zero) { $0 + $1.duration }
    let started = suite.map(\.startedAt).min() ?? .distantPast
    try sink.write(
      """
        <testsuite\(name)\(totals) time="\(XMLText.seconds(duration))" \
      timestamp="\(timestamp(started))">
      \(properties)
      """)
    for result in suite {
      try sink.write(JUnitCase(result, names, outlet, hasFileAttribute: hasFileAttribute).text)
    }
    try sink.write("  </testsuite>\n")
  }

  /// In each suite, for the whole can't have it: which shard this is, for `merge`, and what kept the apps
  /// from the network where that isn't the whole seal.
  private var properties: String {
    var values = shard?.values ?? []
    if let seal = result.header?.seal, !seal.isWhole {
      values.append((ShardProperties.network, SealText.line(seal)))
    }
    return values.isEmpty ? "" : ShardProperties.element(values).text(indentation: "    ")
  }

  /// A suite without cases, where a shard has no scenario but has to say which it is.
  private var emptyShard: String {
    guard result.results.isEmpty, let shard else { return "" }
    return """
        <testsuite\(XMLText.attribute("name", shard.suiteName))\(Self.totals(count: 0) { _ in 0 }) time="0.000">
      \(properties)  </testsuite>

      """
  }

  /// The schema does not know `skipped` for the whole.
  private static func totals(
    count total: Int, hasSkipped: Bool = true, _ count: (Verdict) -> Int
  ) -> String {
    " tests=\"\(total)\" failures=\"\(count(.failed))\" errors=\"\(count(.errored))\""
      + (hasSkipped ? " skipped=\"\(count(.skipped))\"" : "")
  }

  private func timestamp(_ date: Date) -> String {
    date.formatted(
      Date.ISO8601FormatStyle().year().month().day().time(includingFractionalSeconds: false))
  }
}

/// One result as a `testcase`.
struct JUnitCase {
  private let result: ScenarioResult
  private let name: String
  private let hasFileAttribute: Bool
  private let outlet: Outlet
  private let words: FindingText

  /// - Parameter outlet: the run's.
  init(
    _ result: ScenarioResult, _ names: ResultNames, _ outlet: Outlet, hasFileAttribute: Bool
  ) {
    self.result = result
    self.outlet = outlet.hiding(credentialsOf: result)
    words = FindingText(self.outlet, width: 100)
    self.hasFileAttribute = hasFileAttribute
    name = names.next(for: result, outlet)
  }

  var text: String {
    let children = verdictElements + streams(of: result, "      ", remarks: remarks)
    let start = "    <testcase\(attributes)"
    return children.isEmpty ? start + "/>\n" : start + ">\n" + children + "    </testcase>\n"
  }

  private var attributes: String {
    let base =
      attribute("classname", Self.className(outlet.masked(result.scenario.path)))
      + attribute("name", name)
      + " time=\"\(XMLText.seconds(result.duration))\""
    guard hasFileAttribute else { return base }
    let file = result.scenario.caseFile ?? result.scenario.path
    return base + attribute("file", file) + " line=\"\(result.scenario.position.line)\""
  }

  /// The path with dots and without `.json`.
  static func className(_ path: String) -> String {
    let stem = path.lowercased().hasSuffix(".json") ? String(path.dropLast(5)) : path
    let parts = stem.split(separator: "/").filter { $0 != "." && $0 != ".." }
    return parts.joined(separator: ".")
  }

  private func attribute(_ name: String, _ value: String) -> String {
    XMLText.attribute(name, outlet.masked(value))
  }

  /// What there is to say of a case that has no failure or error to say it in.
  private var remarks: String {
    let isTold = result.verdict.isUnsuccessful && !result.isKnown
    return isTold ? "" : words.text(of: result)
  }

  private var verdictElements: String {
    if result.isKnown, let reason = result.knownIssue {
      return "      <skipped\(attribute("message", "known issue: \(reason)"))/>\n"
    }
    return switch result.verdict {
    case .skipped: "      <skipped\(attribute("message", result.skipReason ?? ""))/>\n"
    case .passed: result.earlierAttempts.map { attempt($0, "flaky") }.joined()
    case .failed: element("failure", result) + reruns
    case .errored: element("error", result) + reruns
    }
  }

  /// The attempts before the last, which failed as well.
  private var reruns: String {
    result.earlierAttempts.map { attempt($0, "rerun") }.joined()
  }

  /// An attempt has its own output: what made it fail is not in that of the last.
  private func attempt(_ attempt: ScenarioResult, _ prefix: String) -> String {
    let tag = prefix + (attempt.verdict == .failed ? "Failure" : "Error")
    let indentation = "        "
    return "      <\(tag)\(summary(of: attempt))>\n"
      + "\(indentation)<stackTrace>\(XMLText.escaped(words.text(of: attempt)))</stackTrace>\n"
      + streams(of: attempt, indentation) + "      </\(tag)>\n"
  }

  /// The message is repeated in the text, which some readers show alone.
  private func element(_ tag: String, _ result: ScenarioResult) -> String {
    "      <\(tag)\(summary(of: result))>" + XMLText.escaped(words.text(of: result)) + "</\(tag)>\n"
  }

  private func summary(of result: ScenarioResult) -> String {
    attribute("message", result.findings.first.map(words.headline) ?? "")
      + attribute("type", result.findings.first?.kindName ?? "")
  }

  private func streams(
    of result: ScenarioResult, _ indentation: String, remarks: String = ""
  ) -> String {
    stream("system-out", result.output.standardOutput, indentation, remarks)
      + stream("system-err", result.output.standardError, indentation)
  }

  /// - Parameter remarks: what stands before what the app wrote.
  private func stream(
    _ tag: String, _ text: CapturedText, _ indentation: String, _ remarks: String = ""
  ) -> String {
    guard !text.isEmpty || !remarks.isEmpty else { return "" }
    let output = outlet.masked(text).cut(to: JUnitReport.outputLimitBytes)
    let shown = XMLText.escaped(remarks + (remarks.isEmpty ? "" : "\n\n") + output)
    return "\(indentation)<\(tag)>\(shown)</\(tag)>\n"
  }
}

extension CapturedText {
  /// The beginning and the end, with how much is left out between them.
  func cut(to limitBytes: Int) -> String {
    if omittedBytes == 0, head.count + tail.count <= limitBytes {
      return String(decoding: head + tail, as: UTF8.self)
    }
    let start = head.prefix(limitBytes / 2)
    let end = (tail.isEmpty ? head[start.endIndex...] : tail[...]).suffix(limitBytes / 2)
    let omitted = head.count + omittedBytes + tail.count - start.count - end.count
    return String(decoding: start, as: UTF8.self) + "\n… \(omitted) bytes left out …\n"
      + String(decoding: end, as: UTF8.self)
  }
}

extension Finding {
  /// A stable name for machines.
  package var kindName: String {
    switch self {
    case .wrongCount: "wrongCount"
    case .tooEarly: "tooEarly"
    case .unexpectedRequest: "unexpectedRequest"
    case .flaw(let flaw): if case .lint = flaw.rule { "lint" } else { "trackingPlan" }
    case .actionFailed: "actionFailed"
    case .fileDoubt(let doubt): doubt.kind.rawValue
    case .sweep: "sweep"
    case .fixedIssue: "fixedIssue"
    case .unseen: "unseen"
    case .fileWarning: "fileWarning"
    case .runError(let error): error.kind.rawValue
    }
  }
}
