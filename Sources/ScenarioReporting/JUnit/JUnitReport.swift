import Foundation
import JSON
import ScenarioCore

/// The run as JUnit XML: a suite for each scenario file, a case for each scenario or case.
///
/// The shape is Jenkins' `junit-10.xsd`.
package struct JUnitReport {
  /// How much of each stream of an app goes into the report.
  package static let outputLimitBytes = 64 * 1024

  private let result: RunResult
  private let hasFileAttribute: Bool
  private let outlet: Outlet

  /// - Parameters:
  ///   - outlet: what all output goes through.
  ///   - hasFileAttribute: whether cases say their `file` and `line`, which the schema does not know
  ///     but some readers use.
  package init(_ result: RunResult, _ outlet: Outlet = Outlet(), hasFileAttribute: Bool = false) {
    self.result = result
    self.outlet = outlet
    self.hasFileAttribute = hasFileAttribute
  }

  package var text: String { String(decoding: ReportSink.bytes(write), as: UTF8.self) }

  package func write(to sink: ReportSink) throws {
    let names = ResultNames()
    let run = RunOutline(result, outlet)
    try sink.write(Self.start(of: run))
    // The whole can't say which shard it is, so the first suite does.
    var told = run.told
    // By their places: there may be very many.
    let all = result.results
    for (path, places) in all.indices.grouped(by: { all[$0].scenario.path }) {
      let results = places.lazy.map { all[$0] }
      try sink.write(suite(outlet.masked(path), results).start("  ") + ">\n")
      try sink.write(properties(told)?.text("    ") ?? "")
      told = nil
      for result in results {
        let test = JUnitCase(result, names, outlet, hasFileAttribute: hasFileAttribute)
        try sink.write(test.element.text("    "))
      }
      try sink.write("  </testsuite>\n")
    }
    if let told, let shard = run.header.shard {
      // It has no scenario.
      var empty = suite("shard \(shard.index) of \(shard.total)", [])
      empty.children = properties(told).map { [.element($0)] } ?? []
      try sink.write(empty.text("  "))
    }
    try sink.write("</testsuites>\n")
  }

  /// The beginning of a report.
  static func start(of run: RunOutline) -> String {
    let attributes = attributes(
      "scenario-run", tests: run.counts.resultCount, isSuite: false, time: run.duration
    ) { $0 == .failed ? run.counts.failed : run.counts.errored }
    return XMLText.declaration + MarkupElement("testsuites", attributes).start() + ">\n"
  }

  private func suite(
    _ name: String, _ results: some Collection<ScenarioResult>
  ) -> MarkupElement {
    let started = results.lazy.map(\.startedAt).min().map {
      $0.formatted(
        Date.ISO8601FormatStyle().year().month().day().time(includingFractionalSeconds: false))
    }
    let time = results.reduce(.zero) { $0 + $1.duration }
    let attributes = Self.attributes(name, tests: results.count, isSuite: true, time: time) {
      // A known issue is told as skipped: readers know no word for it.
      results.count($0) + ($0 == .skipped ? results.count(where: \.isKnown) : 0)
    }
    return MarkupElement("testsuite", attributes + [("timestamp", started)])
  }

  /// The property of a suite with what `RunOutline` tells of a shard, and the one with what kept the apps
  /// from the network, where that isn't the whole seal.
  static let (shardProperty, networkProperty) = ("scenario-run.shard", "scenario-run.network")

  private func properties(_ told: JSONValue?) -> MarkupElement? {
    let seal = result.header?.seal.flatMap { $0.isWhole ? nil : SealText.line($0) }
    return Self.properties([
      (Self.shardProperty, told?.text(.report)), (Self.networkProperty, seal),
    ])
  }

  /// - Parameter values: left out where there is none.
  static func properties(_ values: [(String, String?)]) -> MarkupElement? {
    let all = values.compactMap { name, value in
      value.map { MarkupElement("property", [("name", name), ("value", $0)]) }
    }
    return all.isEmpty ? nil : MarkupElement("properties", [], all.map { .element($0) })
  }

  /// What a suite and the whole have in common; the schema does not know `skipped` for the whole.
  static func attributes(
    _ name: String, tests: Int, isSuite: Bool, time: Duration, _ count: (Verdict) -> Int
  ) -> [(String, String?)] {
    [
      ("name", name), ("tests", "\(tests)"), ("failures", "\(count(.failed))"),
      ("errors", "\(count(.errored))"), ("skipped", isSuite ? "\(count(.skipped))" : nil),
      ("time", Seconds.plain(time)),
    ]
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
  init(_ result: ScenarioResult, _ names: ResultNames, _ outlet: Outlet, hasFileAttribute: Bool) {
    self.result = result
    self.outlet = outlet.hiding(credentialsOf: result)
    words = FindingText(self.outlet, width: 100)
    self.hasFileAttribute = hasFileAttribute
    name = names.next(for: result, outlet)
  }

  var element: MarkupElement {
    let file = result.scenario.caseFile ?? result.scenario.path
    let line = "\(result.scenario.position.line)"
    return MarkupElement(
      "testcase",
      [
        ("classname", Self.className(outlet.masked(result.scenario.path))),
        ("name", outlet.masked(name)), ("time", Seconds.plain(result.duration)),
        ("file", hasFileAttribute ? outlet.masked(file) : nil),
        ("line", hasFileAttribute ? line : nil),
      ],
      (verdictElements + streams(of: result, remarks: remarks)).map { .element($0) })
  }

  /// The path with dots and without `.json`.
  static func className(_ path: String) -> String {
    let stem = path.lowercased().hasSuffix(".json") ? String(path.dropLast(5)) : path
    let parts = stem.split(separator: "/").filter { $0 != "." && $0 != ".." }
    return parts.joined(separator: ".")
  }

  /// What there is to say of a case that has no failure or error to say it in.
  private var remarks: String { result.isUnsuccessful ? "" : words.text(of: result) }

  private var verdictElements: [MarkupElement] {
    if result.isKnown, let reason = result.knownIssue { return [skipped("known issue: \(reason)")] }
    return switch result.verdict {
    case .skipped: [skipped(result.skipReason ?? "")]
    case .passed: result.earlierAttempts.map { attempt($0, "flaky") }
    // The message is repeated in the text, which some readers show alone.
    case .failed, .errored:
      [element(result.verdict == .failed ? "failure" : "error", result, [text(of: result)])]
        + result.earlierAttempts.map { attempt($0, "rerun") }
    }
  }

  private func skipped(_ reason: String) -> MarkupElement {
    MarkupElement("skipped", [("message", outlet.masked(reason))])
  }

  /// An attempt has its own output: what made it fail is not in that of the last.
  private func attempt(_ attempt: ScenarioResult, _ prefix: String) -> MarkupElement {
    let trace = MarkupElement("stackTrace", [], [text(of: attempt)])
    return element(
      prefix + (attempt.verdict == .failed ? "Failure" : "Error"), attempt,
      ([trace] + streams(of: attempt)).map { .element($0) })
  }

  private func text(of result: ScenarioResult) -> MarkupElement.Child {
    .text(words.text(of: result))
  }

  private func element(
    _ tag: String, _ result: ScenarioResult, _ children: [MarkupElement.Child]
  ) -> MarkupElement {
    let first = result.findings.first
    return MarkupElement(
      tag,
      [
        ("message", outlet.masked(first.map(words.headline) ?? "")),
        ("type", first?.kindName ?? ""),
      ], children)
  }

  /// - Parameter remarks: what stands before what the app wrote.
  private func streams(of result: ScenarioResult, remarks: String = "") -> [MarkupElement] {
    let streams = [
      ("system-out", result.output.standardOutput, remarks),
      ("system-err", result.output.standardError, ""),
    ]
    return streams.compactMap { tag, text, remarks in
      guard !text.isEmpty || !remarks.isEmpty else { return nil }
      let output = outlet.masked(text).cut(to: JUnitReport.outputLimitBytes)
      return MarkupElement(tag, [], [.text(remarks + (remarks.isEmpty ? "" : "\n\n") + output)])
    }
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
