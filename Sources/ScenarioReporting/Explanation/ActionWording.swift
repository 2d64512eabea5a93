import HarnessProtocol
import JSON
import RequestMatching
import ScenarioCore

/// Actions as sentences.
enum ActionWording {
  static func sentence(_ action: StepAction) -> String {
    switch action {
    case .app(let action): sentence(action)
    case .expectRequests(let expectations):
      expectations.isEmpty ? "Check nothing." : "Check what has been sent since the launch:"
    case .terminate: "End the app."
    case .relaunch: "Start the app anew."
    }
  }

  private static func sentence(_ action: Action) -> String {
    switch action {
    case .tap(let path): return "Tap \(element(path))."
    case .doubleTap(let path): return "Tap \(element(path)) twice, quickly."
    case .longPress(let path, let duration):
      return "Press \(element(path)) for \(Wording.seconds(duration))."
    case .swipe(let direction, let path):
      return "Swipe \(direction.rawValue)\(path.map { " on " + element($0) } ?? "")."
    case .scrollTo(let path): return "Scroll until \(element(path)) can be seen."
    case .typeText(let text, let path):
      return "Type \"\(text)\"\(path.map { " into " + element($0) } ?? "")."
    case .clearText(let path): return "Empty \(element(path))."
    case .waitForExistence(let path, let timeout):
      return "Wait until \(element(path)) is there, \(Wording.seconds(timeout)) at most."
    case .waitForNonExistence(let path, let timeout):
      return "Wait until \(element(path)) is gone, \(Wording.seconds(timeout)) at most."
    case .assertExists(let path): return "Check that \(element(path)) is there."
    case .assertNotExists(let path): return "Check that \(element(path)) is not there."
    case .assertText(let path, let condition):
      return "Check that the text of \(element(path)) \(comparison(condition))."
    case .openURL(let url): return "Open the link \(url)."
    case .push(let payload, let isTapped):
      let title = pushTitle(payload).map { " \"\($0)\"" } ?? ""
      return
        "Receive the push notification\(title)\(isTapped ? " and open it" : ", without opening it")."
    case .background: return "Send the app to the background."
    case .foreground: return "Bring the app back to the foreground."
    case .advanceClock(let duration):
      return "Let \(Wording.seconds(duration)) pass on the app's clock."
    case .setNetwork(.offline): return "Lose the connection to the network."
    case .setNetwork(.online): return "Regain the connection to the network."
    case .perform(let name, let values):
      let with = values.isEmpty ? "" : " with " + JSONValue.object(values).text()
      return "Do the app's own action \"\(name)\"\(with)."
    }
  }

  private static func pushTitle(_ payload: JSONValue?) -> String? {
    let alert = payload?["aps"]?["alert"]
    return alert?.string ?? alert?["title"]?.string
  }

  private static func comparison(_ condition: TextCondition) -> String {
    switch condition {
    case .equals(let text): "is \"\(text)\""
    case .contains(let text): "contains \"\(text)\""
    case .matches(let pattern): "matches the pattern \(pattern)"
    }
  }

  /// `"cartButton" in the 1st "MyItemCell" in "SearchResultViewController"`
  private static func element(_ path: ElementPath) -> String {
    path.segments.reversed().map(segment).joined(separator: " in ")
  }

  private static func segment(_ segment: ElementPath.Segment) -> String {
    let type = segment.type.map { "\($0) " } ?? ""
    let name = "\(type)\"\(segment.identifier)\""
    guard let index = segment.index else { return segment.type == nil ? name : "the \(name)" }
    return "the \(Wording.ordinal(index + 1)) \(name)"
  }
}

/// Expectations and request patterns as sentences.
enum RequestWording {
  static func sentence(_ expectation: Expectation) -> String {
    let relations = expectation.relations
    let arriving = expectation.delivered.map(arrivals) ?? ""
    let after = relations.after.map { ", each after one of \"\($0.text)\"" } ?? ""
    let name = relations.name.map { ", called \"\($0.text)\"" } ?? ""
    let objects = relations.objects.map { "\($0.path) in \($0.location.path)" }
    return subject(expectation) + arriving + after + name
      + (objects.isEmpty ? "" : ", for " + Wording.list(objects))
  }

  private static func subject(_ expectation: Expectation) -> String {
    if let event = expectation.pattern.event {
      return sentence(event, expectation.count)
    }
    let method = expectation.pattern.method.map { $0 == "ANY" ? "" : "\($0) " } ?? ""
    return "\(count(expectation.count, method)) to \(pattern(expectation.pattern))"
  }

  private static func arrivals(_ count: ExpectedCount) -> String {
    if count == .exactly(0) { return ", of which none arrives" }
    return ", of which \(count) arrive\(isOne(count) ? "s" : "")"
  }

  private static func sentence(_ event: EventPattern, _ count: ExpectedCount) -> String {
    let place = event.decoder.map { " in \($0)" } ?? ""
    let conditions = event.conditions.map { "\"\($0.key)\" \($0.matcher.condition)" }
    let number = self.count(count, "").replacing("request", with: "event")
    return "\(number) \"\(event.name)\"\(place)"
      + (conditions.isEmpty ? "" : " where " + Wording.list(conditions))
  }

  private static func count(_ count: ExpectedCount, _ method: String) -> String {
    if count == .exactly(0) { return "no \(method)request" }
    if count == .anyNumber { return "any number of \(method)requests" }
    let exactly = count.least == count.most ? "exactly " : ""
    return "\(exactly)\(count) \(method)request\(isOne(count) ? "" : "s")"
  }

  /// Whether the number that is said of it is 1.
  private static func isOne(_ count: ExpectedCount) -> Bool {
    count == .exactly(1) || count == .init(least: 1) || count == .init(most: 1)
  }

  private static func pattern(_ pattern: RequestPattern) -> String {
    var parts = [target(pattern)]
    parts += pattern.queryParameters.map { named("parameter", $0) }
    if !pattern.allowsOtherParameters { parts.append("there is no other parameter") }
    parts += pattern.headers.map { named("header", $0) }
    parts += pattern.cookies.map { named("cookie", $0) }
    parts += pattern.bodyPatterns.map { "the body \($0.condition)" }
    guard parts.count > 1 else { return parts[0] }
    return parts[0] + " where " + Wording.list(Array(parts.dropFirst()))
  }

  private static func named(_ kind: String, _ named: RequestPattern.NamedMatcher) -> String {
    "the \(kind) \"\(named.name)\" \(named.matcher.condition)"
  }

  private static func target(_ pattern: RequestPattern) -> String {
    let place = place(pattern)
    switch pattern.target {
    case .url(let url): return url + place
    case .urlPath(let path): return "the path \(path)\(place)"
    case .urlPattern(let text): return "a URL like \(text.pattern)\(place)"
    case .urlPathPattern(let text): return "a path like \(text.pattern)\(place)"
    case nil: return "any URL" + place
    }
  }

  private static func place(_ pattern: RequestPattern) -> String {
    var words: [String] = []
    if let host = pattern.host { words.append(self.host(host)) }
    if let port = pattern.port { words.append("port \(port)") }
    if let scheme = pattern.scheme { words.append("scheme \(scheme)") }
    return words.isEmpty ? "" : " (\(words.joined(separator: ", ")))"
  }

  private static func host(_ matcher: ValueMatcher) -> String {
    // A host in capitals is the same host, so that needs no word.
    if case .equalTo(let name, _) = matcher { return "host \(name)" }
    return "a host that \(matcher.condition)"
  }
}
