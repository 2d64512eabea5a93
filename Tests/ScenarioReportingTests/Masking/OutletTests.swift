import Foundation
import HarnessProtocol
import JSON
import SourceText
import Testing

@testable import ScenarioCore
@testable import ScenarioReporting

#if canImport(FoundationXML)
  import FoundationXML
#endif

@Suite("No output shows a secret")
struct OutletTests {
  private static let secret = "S3CR3T/val+ue"

  private static let file = SourceFile(
    path: "\(secret).json",
    text:
      "{\n  \"a\": \"\(secret)\", \"Authorization\": {\"equalTo\": \"Bearer abcdef\"}, \"b\": 1\n}\n"
  )

  /// A result with a secret in each of its texts.
  private static func result(_ index: Int, _ verdict: Verdict) -> ScenarioResult {
    let location = SourceLocation(file: file, range: 9..<10)
    let step = StepReference(id: 1, title: "typeText \(secret)", location: location)
    let occurrence = RequestOccurrence(
      method: secret, url: "https://a.example.com/\(secret)?t=\(secret)", cause: .step(step))
    let long = String(repeating: "long ", count: 30)
    let count = WrongCount(
      scope: .sends(step), pattern: secret, wanted: .exactly(1), got: 0, location: location,
      matched: [occurrence],
      nearMisses: [
        NearMiss(
          request: occurrence,
          differences: [
            Difference(part: .queryParameter(secret), wanted: long + secret, got: long + "x"),
            Difference(part: .body("$.\(secret)"), wanted: secret, got: nil),
          ])
      ], elsewhere: [occurrence],
      related: [
        RelatedExpectation(
          scope: .expectRequests(step), wanted: .exactly(1), got: 0, location: location)
      ])
    let failure = ActionFailure(
      step: step,
      error: RPCError(
        .elementNotFound, secret, data: ["onScreen": [.string(secret)], "s": ["\(secret)": 1]]))
    let diagnostic = Diagnostic(
      secret, at: location, suggestions: [secret], notes: [.init(secret, at: location)])
    let error = RunError(
      .crashed, secret, step: step, location: location, diagnostics: [diagnostic],
      standardErrorTail: [secret])
    var result = ScenarioResult(
      index: index,
      scenario: ScenarioReference(
        path: secret, scenarioName: secret, caseName: secret, caseFile: secret, tags: [secret]),
      verdict: verdict,
      findings: [
        .wrongCount(count), .actionFailed(failure), .runError(error),
        .unexpectedRequest(UnexpectedRequest(during: [step], count: 1, occurrences: [occurrence])),
      ], startedAt: Date(), duration: .zero, skipReason: secret,
      output: AppOutput(
        standardOutput: CapturedText(head: Array(secret.utf8)),
        standardError: CapturedText(
          head: Array("a S3CR3T".utf8), omittedBytes: 3, tail: Array("R3T/val+ue b".utf8))))
    result.keptFolder = secret
    result.keepFailure = secret
    return result
  }

  /// A failed, an errored, a flaky and a skipped one.
  private static var results: [ScenarioResult] {
    var flaky = result(2, .passed)
    flaky.earlierAttempts = [result(2, .failed)]
    return [result(0, .failed), result(1, .errored), flaky, result(3, .skipped)]
  }

  /// All outputs of a run, by name.
  private static func outputs(
    of results: [ScenarioResult], _ outlet: Outlet
  ) throws -> [String: String] {
    let screen = ConsoleReporterTests.Screen()
    let folder = FileManager.default.temporaryDirectory.path + "/outlet-\(UUID())"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let paths = WorkspacePath(workspace: nil, workingDirectory: "/")
    let pipeline = ReportingPipeline([
      ConsoleReporter(
        options: ConsoleOptions(detail: .verbose, outlet: outlet, isLive: true, width: { 40 }),
        output: screen),
      EventsReporter(path: folder + "/events", outlet: outlet),
      GitHubAnnotationReporter(paths: paths, output: screen, outlet: outlet),
    ])
    for event in Samples.events(results) {
      pipeline.handle(event)
      guard case .scenarioFinished(let result) = event else { continue }
      let file = SourceLocation(file: file, range: 0..<1)
      pipeline.handle(
        .stepStarted(result.scenario, StepReference(id: 1, title: secret, location: file)))
      pipeline.handle(.diagnosed(Diagnostic(.warning, secret, path: secret)))
    }
    let run = pipeline.result
    #expect(pipeline.failures.isEmpty)
    return [
      "console": screen.text,
      "events": try String(contentsOfFile: folder + "/events", encoding: .utf8),
      "junit": JUnitReport(run, outlet, hasFileAttribute: true).text,
      "html": HTMLReport(run, outlet).text,
      "ctrf": String(decoding: CTRFReport(run, outlet).bytes, as: UTF8.self),
    ]
  }

  /// Ignores what a report escapes: only letters and digits count.
  private func hasPart(of secret: String, _ text: String) -> Bool {
    ["S3CR3T", "R3T/val", "val+ue", "val\\u002bue", "S3CR"].contains { text.contains($0) }
  }

  @Test("in whatever text it stands, even where that is broken or cut")
  func everyOutput() throws {
    let shown = try Self.outputs(of: Self.results, Outlet())
    #expect(shown.allSatisfy { hasPart(of: Self.secret, $0.value) })
    for (name, text) in try Self.outputs(of: Self.results, Outlet(secrets: [Self.secret])) {
      #expect(!hasPart(of: Self.secret, text), "\(name): \(text)")
      #expect(text.contains("***"), "\(name)")
    }
  }

  @Test("nor a credential of its requests")
  func credentials() throws {
    let results = Self.results.map { result in
      var result = result
      result.credentials = [Self.secret]
      result.scenario = Samples.result().scenario
      result.earlierAttempts = result.earlierAttempts.map {
        var attempt = $0
        attempt.credentials = [Self.secret]
        attempt.scenario = Samples.result().scenario
        return attempt
      }
      return result
    }
    let run = Samples.fold(results)
    let texts = [
      JUnitReport(run).text, HTMLReport(run).text,
      String(decoding: CTRFReport(run).bytes, as: UTF8.self),
    ]
    for text in texts { #expect(!hasPart(of: Self.secret, text), "\(text)") }
  }

  @Test(
    "and a secret that is a word of a report's own syntax leaves it readable",
    arguments: ["name", "true", "null", "testcase", "1234", "span", "html", "amp;"])
  func syntax(secret: String) throws {
    let outlet = Outlet(secrets: [secret])
    _ = try XMLDocument(xmlString: JUnitReport(Samples.run, outlet).text)
    let page = HTMLReport(Samples.run, outlet).text.replacing("<!DOCTYPE html>", with: "")
    _ = try XMLDocument(xmlString: page)
    _ = try JSONSerialization.jsonObject(with: Data(CTRFReport(Samples.run, outlet).bytes))
  }

  @Test("a difference shows that hidden values differ")
  func differences() {
    let outlet = Outlet(secrets: ["abcdef", "ghijkl"])
    let text = DifferenceText(outlet, style: TextStyle(isColored: false), width: 80)
    let (wanted, got) = text.values(
      Difference(part: .header("Authorization"), wanted: "Bearer abcdef", got: "Bearer ghijkl"))
    #expect(wanted == #""Bearer ***""#)
    #expect(got == #""Bearer ***" (another value)"#)
  }

  @Test("the source line of a diagnostic keeps its columns")
  func sourceLine() {
    let end = Self.file.bytes.count - 4
    let diagnostic = Diagnostic("wrong", at: SourceLocation(file: Self.file, range: end..<end + 1))
    let shown = DiagnosticRenderer(Outlet(secrets: [Self.secret])).render([diagnostic])
    #expect(
      shown == """
        ***.json:2:77: error: wrong
           2 |   "a": "*************", "Authorization": {"equalTo": "Bearer ******"}, "b": 1
             |                                                                             ^

        """)
  }

  @Test(
    "nor does its message show a credential of the file",
    arguments: [
      (#""Authorization": "Bearer CREDENT""#, "CREDENT"),
      (#""authorization": {"matches": "[CREDENT"}"#, "[CREDENT"),
      (#""cookies": {"sid": {"equalTo": "CREDENTIAL"}}"#, "CREDENTIAL"),
      (#""url": "https://me:CREDENT@a.example.com/""#, "CREDENT"),
      (#""x": [{"name": "Set-Cookie", "value": "sid=CREDENTIAL; Path=/"}]"#, "CREDENTIAL"),
    ])
  func message(member: String, value: String) {
    let file = SourceFile(path: "a.json", text: "{\(member)}")
    let location = SourceLocation(file: file, range: 1..<4)
    let message = "\"\(value)\" is wrong."
    let shown = DiagnosticRenderer().render([
      Diagnostic(message, at: location, notes: [.init(message, at: location)])
    ])
    #expect(shown.contains("\"***\" is wrong."))
    #expect(!shown.contains("CRED"), "\(shown)")
  }

  @Test("nor a number of an error's data")
  func number() {
    let data: JSONValue = ["pin": 48_151_623, "list": [1, 3.14159, true]]
    let masked = data.masked(by: Outlet(secrets: ["48151623", "3.14159"]))
    #expect(masked == ["pin": "***", "list": [1, "***", true]])
  }

  @Test("what is cut from a long output leaves no part of a secret")
  func cutOutput() {
    let shown = Outlet(secrets: [Self.secret]).masked(
      CapturedText(
        head: Array("begin S3CR3T/v".utf8), omittedBytes: 10, tail: Array("3T/val%2Bue end".utf8)))
    #expect(String(decoding: shown.head, as: UTF8.self) == "begin ***")
    #expect(String(decoding: shown.tail, as: UTF8.self) == "*** end")
    #expect(shown.omittedBytes == 10)
  }
}
