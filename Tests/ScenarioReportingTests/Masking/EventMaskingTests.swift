import Foundation
import HarnessWire
import ScenarioCore
import SourceText
import Testing

@testable import ScenarioReporting

@Suite("No reporter sees a secret")
struct EventMaskingTests {
  private static let secret = "S3CR3T/value"
  private let masking = Masking(secrets: [secret])

  private static let file = SourceFile(
    path: "\(secret).json",
    text:
      "{\n  \"a\": \"\(secret)\", \"Authorization\": {\"equalTo\": \"Bearer ö한\"}, \"b\": 1\n}\n")

  /// A result with a secret in each of its texts.
  private static var result: ScenarioResult {
    let location = SourceLocation(file: file, range: 9..<10)
    let step = StepReference(id: 1, title: "typeText \(secret)", location: location)
    let sighting = RequestSighting(
      method: secret, url: "https://a.example.com/?t=\(secret)", cause: .step(step))
    let count = WrongCount(
      scope: .sends(step), pattern: secret, wanted: .exactly(1), got: 0, location: location,
      matched: [sighting],
      nearMisses: [
        NearMiss(
          request: sighting,
          differences: [
            Difference(part: .queryParameter(secret), wanted: secret, got: secret + "x"),
            Difference(part: .body("$.\(secret)"), wanted: secret, got: nil),
          ])
      ], elsewhere: [sighting],
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
    return ScenarioResult(
      index: 0,
      scenario: ScenarioReference(
        path: secret, scenarioName: secret, caseName: secret, caseFile: secret, tags: [secret]),
      verdict: .failed,
      findings: [
        .wrongCount(count), .actionFailed(failure), .runError(error),
        .unexpectedRequest(UnexpectedRequest(during: [step], count: 1, sightings: [sighting])),
      ], startedAt: Date(), duration: .zero, skipReason: secret,
      output: AppOutput(
        standardOutput: CapturedText(head: Array(secret.utf8)),
        standardError: CapturedText(head: Array("S3CR3T".utf8), tail: Array("/value".utf8))))
  }

  /// Every text in a value, at any depth.
  private func texts(in value: Any) -> [String] {
    if let text = value as? String { return [text] }
    if let bytes = value as? [UInt8] { return [String(decoding: bytes, as: UTF8.self)] }
    return Mirror(reflecting: value).children.flatMap { texts(in: $0.value) }
  }

  @Test("in any text of any event")
  func everyText() {
    var result = Self.result
    result.keptFolder = Self.secret
    result.keepFailure = Self.secret
    result.earlierAttempts = [Self.result]
    let step = StepReference(
      id: 1, title: Self.secret, location: .init(file: Self.file, range: 0..<1))
    let events: [RunEvent] = [
      .scenarioFinished(result), .attemptFailed(result),
      .scenarioStarted(result.scenario, attempt: 1),
      .stepStarted(result.scenario, step),
      .diagnosed(Diagnostic(Self.secret, path: Self.secret)),
    ]
    for event in events {
      #expect(texts(in: event).contains { $0.contains("S3CR3T") })
      let masked = texts(in: masking.masked(event))
      #expect(!masked.contains { $0.contains("S3CR3T") || $0.contains("value") }, "\(masked)")
    }
  }

  @Test("and the verdict stays")
  func verdict() {
    guard case .scenarioFinished(let masked) = masking.masked(.scenarioFinished(Self.result)) else {
      Issue.record("another event")
      return
    }
    #expect(masked.verdict == .failed && masked.findings.count == 4)
  }

  @Test("a difference of a credential header or a cookie shows that they differ, no more")
  func differences() {
    let cases: [(Difference, wanted: String?, got: String?)] = [
      (
        Difference(part: .header("authorization"), wanted: "Bearer 1", got: "Bearer 22"),
        "*** (8 characters)", "*** (9 characters)"
      ),
      (
        Difference(part: .cookie("sid"), wanted: "1", got: "2"),
        "*** (1 character)", "*** (1 character) (another value)"
      ),
      (
        Difference(part: .header("Cookie"), wanted: "contains \"a\"", got: nil, isCondition: true),
        "contains *** (1 character)", nil
      ),
      (
        Difference(part: .body("$.headers.Authorization"), wanted: "\"a\"", got: "\"bc\""),
        "*** (3 characters)", "*** (4 characters)"
      ),
      (
        Difference(part: .queryParameter("token"), wanted: Self.secret, got: Self.secret + "x"),
        "***", "***x"
      ),
      (Difference(part: .queryParameter("area"), wanted: "cart", got: "item"), "cart", "item"),
    ]
    for (difference, wanted, got) in cases {
      let masked = masking.masked(difference)
      #expect(masked.wanted == wanted)
      #expect(masked.got == got)
    }
  }

  @Test("the source line of a diagnostic keeps its columns")
  func sourceLine() {
    let end = Self.file.bytes.count - 4
    let diagnostic = Diagnostic("wrong", at: SourceLocation(file: Self.file, range: end..<end + 1))
    let shown = DiagnosticRenderer().render(masking.masked(diagnostic))
    #expect(
      shown == """
        ***.json:2:72: error: wrong
           2 |   "a": "************", "Authorization": {"equalTo": "*******×•"}, "b": 1
             |                                                                        ^

        """)
  }

  @Test(
    "the message of a diagnostic shows no credential that the source line hides",
    arguments: [
      (#""Bearer abc.def""#, #"found the string "Bearer abc.def"."#, #"found the string "***"."#),
      (#"{"matches": "[CREDA"}"#, #""[CREDA" is no regular expression."#, nil),
      (#"{"Bearer CREDC": "x"}"#, #""Bearer CREDC" is no key of a matcher."#, nil),
      (#"{"equalTo": 12345678}"#, "found the number 12345678.", "found the number ***."),
      (#"{"equalTo": "a\"b cd"}"#, #"found the string "a"b cd"."#, #"found the string "***"."#),
      (#"{"matches": "a"}"#, #"wants a string, found "a"."#, #"wants a string, found "***"."#),
      (#"{"equalTo": "string"}"#, #"wants a string: "string"."#, #"wants a string: "***"."#),
    ])
  func message(value: String, message: String, shown: String?) {
    let file = SourceFile(path: "a.json", text: #"{"headers": {"Authorization": \#(value)}}"#)
    let location = SourceLocation(file: file, range: 13..<28)
    let masked = Masking().masked(
      Diagnostic(message, at: location, notes: [.init(message, at: location)]))
    #expect(masked.notes.map(\.message) == [masked.message])
    if let shown { #expect(masked.message == shown) }
    #expect(masked.message.contains("***") && !masked.message.contains("CRED"), "\(masked.message)")
    #expect(!DiagnosticRenderer().render(masked).contains("CRED"))
  }

  @Test("nor a number of an error's data")
  func number() {
    let masking = Masking(secrets: ["48151623", "3.14159"])
    let step = StepReference(id: 1, title: "tap", location: .init(file: Self.file, range: 0..<1))
    let data: JSONValue = ["pin": 48_151_623, "list": [1, 3.14159, 481_516_230, true]]
    let failure = ActionFailure(step: step, error: RPCError(.elementNotFound, "no", data: data))
    guard case .actionFailed(let masked) = masking.masked(.actionFailed(failure)) else { return }
    #expect(masked.error.data == ["pin": "***", "list": [1, "***", "***0", true]])
  }

  @Test("nor stderr's last lines, where a value goes on in the next line")
  func lastLines() {
    let error = RunError(
      .crashed, "",
      standardErrorTail: ["a", "Authorization:", "  Bearer abc", "first", "last", "b"])
    let masking = Masking(secrets: ["first\nlast"])
    guard case .runError(let masked) = masking.masked(.runError(error)) else { return }
    #expect(masked.standardErrorTail == ["a", "Authorization:", "  ***", "***", "b"])
  }

  @Test("what is cut from a long output leaves no part of a secret or of a header")
  func cutOutput() {
    let head = Array("begin S3CR3T/va".utf8)
    let long = masking.masked(
      CapturedText(head: head, omittedBytes: 10, tail: Array("lue of a header\nend\n".utf8)))
    #expect(long.head == Array("begin ***".utf8))
    #expect(long.tail == Array("end\n".utf8))
    #expect(long.omittedBytes == 26)
    let oneLine = masking.masked(
      CapturedText(head: head, omittedBytes: 10, tail: Array("3T/value end".utf8)))
    #expect(oneLine.tail == Array("*** end".utf8))
  }

  @Test("a passed scenario that said nothing costs nothing")
  func cost() {
    let event = RunEvent.scenarioFinished(Samples.result())
    let clock = ContinuousClock()
    let masking = Masking()
    let time = clock.measure { for _ in 0..<100_000 { _ = masking.masked(event) } }
    #expect(time < .seconds(2))
  }
}
