import Foundation
import HarnessProtocol
import JSON
import RequestMatching
import ScenarioCore
import SourceText

/// What becomes of a capture (HAR 1.2): its API part as a fixture without secrets, a scenario that begins with
/// it, and expectations for what looks like tracking.
package struct CaptureImport {
  package enum Problem: Error, Sendable, Equatable {
    case invalidJSON(JSONError)
    /// It isn't an object of JSON with `log.entries`.
    case noCapture
    /// No entry has a method, a URL and an answer.
    case nothingAnswered
  }

  /// An expectation with why its requests look like tracking.
  package struct Tracking: Sendable {
    package var expectation: JSONValue
    package var reason: TrackingLook.Reason
  }

  /// How many entries the capture has.
  package private(set) var entryCount = 0
  /// How many of them are in the fixture.
  package private(set) var fixtureCount = 0
  /// How many of these were answered: aborted requests are kept, and answer nothing.
  package private(set) var answeredCount = 0
  /// The capture without tracking and secrets; `nil` where it has nothing else.
  package private(set) var fixture: [UInt8]?
  /// In the order of the capture.
  package private(set) var tracking: [Tracking] = []
  package private(set) var redactions: [Redaction] = []
  /// Of each entry, from 1: its method and its URL without the query and without secrets.
  package private(set) var titles: [String] = []
  /// Placeholders in URLs of the fixture that no answer hands to the app.
  package private(set) var foreignPlaceholders: [String] = []
  private var volatileNames: [String] = []

  /// - Parameters:
  ///   - bytes: the capture's.
  ///   - volatile: the parameters that scenarios set aside anyway.
  ///   - secrets: values that are known to be secret.
  package init(
    _ bytes: [UInt8], tracking look: TrackingLook, volatile: [String] = [],
    secrets: some Sequence<String> = [String]()
  ) throws(Problem) {
    var capture = try Self.capture(bytes)
    guard var log = capture["log"]?.object, let entries = log["entries"]?.array else {
      throw .noCapture
    }
    let exchanges = entries.map(CapturedExchange.init)
    guard exchanges.contains(where: \.isAnswered) else { throw .nothingAnswered }
    entryCount = exchanges.count
    let reasons = exchanges.map { $0.isAnswered ? look.reason($0.request, $0.response) : nil }
    var redactor = CaptureRedactor(secrets: secrets, hosts: Set(exchanges.map(\.host)))
    log["entries"] = nil
    let frame = redactor.redacted(besideEntries: .object(log)).object ?? log
    // Cookies that a tracker's answer sets come back in URLs.
    let found = zip(exchanges, reasons).enumerated().map { index, exchange in
      let redacted = redactor.redacted(exchange.0.json, entry: index + 1)
      return exchange.1 == nil ? redacted : CapturedExchange(redacted).sent
    }
    let everything = redactor.everywhere([.object(frame)] + found)
    let redacted = Array(everything.dropFirst())
    titles = redacted.map { CapturedExchange($0).title }
    let kept = zip(redacted, reasons).filter { $1 == nil }.map(\.0)
    (fixtureCount, answeredCount) = (
      kept.count, zip(exchanges, reasons).count { $0.isAnswered && $1 == nil }
    )
    let given = GivenValues(kept)
    draft(Array(zip(redacted, reasons)), look.decoders, volatile, given)
    if answeredCount > 0 {
      log = everything[0].object ?? frame
      log["entries"] = .array(kept)
      capture["log"] = .object(log)
      fixture = JSONValue.object(capture).bytes(.pretty) + [UInt8(ascii: "\n")]
    }
    let asked = Set(kept.flatMap { Placeholders.texts(in: $0["request"]?["url"]?.string ?? "") })
    foreignPlaceholders = asked.filter { !given.has($0) }.sorted()
    redactions = Self.counted(
      redactor.redactions, in: [everything[0]] + kept + tracking.map(\.expectation))
  }

  /// The whole file: a byte-order mark before it is fine.
  private static func capture(_ bytes: [UInt8]) throws(Problem) -> JSONObject {
    let text = bytes.starts(with: SourceFile.byteOrderMark) ? bytes[3...] : bytes[...]
    // Proxies keep traffic in formats of their own, too.
    guard text.first(where: { $0 > 0x20 }) == UInt8(ascii: "{") else { throw .noCapture }
    let value: JSONValue
    do throws(JSONError) {
      // JavaScript cuts texts between the halves of a surrogate pair.
      value = try JSONValue(parsing: text, limits: JSONLimits(replacesLoneSurrogates: true))
    } catch {
      throw .invalidJSON(error)
    }
    guard let object = value.object else { throw .noCapture }
    return object
  }
}

// MARK: - What is written

extension CaptureImport {
  /// The scenario that begins with the fixture.
  ///
  /// - Parameter name: of the fixture, relative to the fixtures folder.
  package func scenario(stubs name: String, path: String) -> SourceFile {
    let stubs = fixture == nil ? "" : "  \"stubs\": \(JSONValue.string(name).text()),\n"
    return SourceFile(path: path, text: "{\n\(stubs)  \"actions\": []\n}\n")
  }

  /// The scenario with what it may expect.
  package func draft(of scenario: SourceFile) -> SourceFile {
    guard !tracking.isEmpty, var edit = ScenarioEdit(scenario) else { return scenario }
    edit.setExpected(ListChange(added: tracking.map(\.expectation)))
    edit.addVolatileParameters(volatileNames)
    return edit.file
  }

  private mutating func draft(
    _ exchanges: [(JSONValue, TrackingLook.Reason?)], _ decoders: [EventDecoder],
    _ volatile: [String], _ given: GivenValues
  ) {
    var events: [AnalyticsEvent] = []
    var eventOutlines: [EventOutline] = []
    var outlines: [(outline: RequestOutline, reason: TrackingLook.Reason)] = []
    var names: Set<String> = []
    for (json, reason) in exchanges {
      guard let reason else { continue }
      let exchange = CapturedExchange(json)
      let found = decoders.flatMap { $0.readableEvents(in: exchange.request) }
      guard found.isEmpty else {
        events += found
        eventOutlines += found.map { event in
          EventOutline(event, decoders.first { $0.name == event.decoder }?.layout) { name, value in
            given.isSaid(name, value, sentAt: exchange.startedAt)
          }
        }
        continue
      }
      var outline = RequestOutline(exchange.recorded)
      names.formUnion(outline.setAsideVolatile(sentAt: exchange.startedAt, given))
      // What the app isn't given it can't send.
      let foreign = SecretFinder(
        values: Placeholders.texts(in: json.text()).filter { !given.has($0) })
      let (redacted, secretNames) = foreign.redacted(outline)
      names.formUnion(secretNames)
      outlines.append((redacted, reason))
    }
    volatileNames = names.sorted()
    let (known, inferred) = (VolatileParameters(volatile), VolatileParameters(volatileNames))
    let drafts = ExpectationDraft.drafts(
      of: outlines.map(\.outline), ignoring: known, inferred: inferred)
    let reasons = Dictionary(
      outlines.map { ($0.outline.pattern(ignoring: known, inferred: inferred), $0.reason) },
      uniquingKeysWith: { first, _ in first })
    tracking = drafts.map { draft in
      Tracking(expectation: draft.json, reason: reasons[draft.pattern] ?? .namedHost)
    }
    tracking += ExpectationDraft.drafts(of: eventOutlines, among: events).map { draft in
      let decoder = draft.pattern["in"]?.string ?? ""
      return Tracking(expectation: draft.json, reason: .events(decoder: decoder))
    }
  }

  /// What was taken out of something that is written, with the number of places there.
  private static func counted(_ redactions: [Redaction], in written: [JSONValue]) -> [Redaction] {
    var counts: [Int: Int] = [:]
    for value in written {
      value.forEachText { text in
        for number in Placeholders.numbers(in: text) { counts[number, default: 0] += 1 }
      }
    }
    return redactions.compactMap { redaction in
      var redaction = redaction
      if let number = Placeholders.numbers(in: redaction.placeholder).first {
        redaction.count = counts[number] ?? 0
      }
      return redaction.count > 0 ? redaction : nil
    }
  }
}

extension RequestOutline {
  /// Marks parameters, and replaces members of a body, that look as if another run sent something else; what
  /// the answers of the capture give to the app stays.
  ///
  /// - Returns: the parameters' names.
  fileprivate mutating func setAsideVolatile(
    sentAt date: Double?, _ given: GivenValues
  ) -> Set<String> {
    func isVolatile(_ name: String, _ value: String) -> Bool {
      VolatileLook.isVolatile(name: name, value: value, sentAt: date) && !given.has(value)
    }
    let names = mark(\.isStable, false, where: isVolatile)
    switch body {
    case .json(let value):
      body = .json(
        value.mapLeaves { name, leaf in
          let text = leaf.string ?? leaf.number?.text
          let varies = text.map { isVolatile(name, $0) } ?? false
          return varies ? JSONPlaceholders.kind(of: leaf) : leaf
        })
    case .text(let text):
      let items = QueryItem.items(of: Array(text.utf8)[...])
      let varies = items.contains {
        isVolatile(
          String(decoding: $0.name, as: UTF8.self), String(decoding: $0.value, as: UTF8.self))
      }
      // Of a text that isn't a form nobody knows what varies.
      if varies || !text.contains("=") || text.contains("\n") { body = .omitted(.volatileBody) }
    case .none, .omitted: break
    }
    return names
  }
}

/// What the answers of a fixture hand to the app.
private struct GivenValues {
  private var words: Set<[UInt8]> = []
  private var placeholders: Set<Int> = []

  init(_ exchanges: [JSONValue]) {
    for exchange in exchanges { exchange["response"]?.forEachText { add($0) } }
  }

  private mutating func add(_ text: String) {
    placeholders.formUnion(Placeholders.numbers(in: text))
    let parts = Array(text.utf8).split { byte in
      byte < 0x80 && !Character(Unicode.Scalar(byte)).isLetter
        && !Character(Unicode.Scalar(byte)).isNumber && !"-_.~%+".utf8.contains(byte)
    }
    for word in parts { words.insert(Array(word)) }
  }

  /// Whether an expectation of an event says a member.
  func isSaid(_ name: String, _ value: JSONValue, sentAt date: Double?) -> Bool {
    let text = value.string ?? value.number?.text ?? value.text()
    if has(text) { return true }
    return !VolatileLook.isVolatile(name: name, value: text, sentAt: date)
      && Placeholders.numbers(in: text).isEmpty
  }

  /// Whether the app gets it: a whole word of an answer, or a placeholder in one.
  func has(_ value: String) -> Bool {
    if let number = Placeholders.numbers(in: value).first { return placeholders.contains(number) }
    return words.contains(Array(value.utf8))
  }
}

/// What stands for secrets in a text.
private enum Placeholders {
  static func numbers(in text: String) -> [Int] { digits(in: text).compactMap { Int($0) } }

  static func texts(in text: String) -> Set<String> {
    Set(digits(in: text).map { CaptureRedactor.beginning + $0 })
  }

  private static func digits(in text: String) -> [String] {
    text.components(separatedBy: CaptureRedactor.beginning).dropFirst()
      .map { String($0.prefix { $0.isASCII && $0.isNumber }) }
  }
}

extension JSONValue {
  fileprivate func forEachText(_ body: (String) -> Void) {
    _ = mapTexts {
      body($0)
      return $0
    }
  }
}
