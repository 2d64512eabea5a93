import HarnessWire
import JSON
import RequestMatching
import ScenarioCore

/// Actions as sentences.
enum ActionWording {
  static func sentence(_ action: Action) -> String {
    switch action {
    case .send(let verb, let params): sentence(verb, params)
    case .expectRequests(let expectations):
      expectations.isEmpty ? "Check nothing." : "Check what has been sent since the launch:"
    case .terminate: "End the app."
    case .relaunch: "Start the app anew."
    }
  }

  private static func sentence(_ verb: ActionVerb, _ params: JSONObject) -> String {
    let element = element(params["element"])
    switch verb {
    case .tap: return "Tap \(element)."
    case .doubleTap: return "Tap \(element) twice, quickly."
    case .longPress: return "Press \(element) for \(seconds(params["duration"]))."
    case .swipe:
      let place = params["on"].map { " on " + self.element($0) } ?? ""
      return "Swipe \(params["direction"]?.string ?? "")\(place)."
    case .scrollTo: return "Scroll until \(element) can be seen."
    case .typeText:
      return "Type \"\(params["text"]?.string ?? "")\" into \(self.element(params["into"]))."
    case .clearText: return "Empty \(element)."
    case .waitForExistence:
      return "Wait until \(element) is there, \(seconds(params["timeout"])) at most."
    case .waitForNonExistence:
      return "Wait until \(element) is gone, \(seconds(params["timeout"])) at most."
    case .assertExists: return "Check that \(element) is there."
    case .assertNotExists: return "Check that \(element) is not there."
    case .assertText: return "Check that the text of \(element) \(comparison(params))."
    case .openURL, .push, .background, .foreground, .advanceClock, .setNetwork, .perform:
      return systemSentence(verb, params)
    }
  }

  private static func systemSentence(_ verb: ActionVerb, _ params: JSONObject) -> String {
    switch verb {
    case .openURL: return "Open the link \(params["url"]?.string ?? "")."
    case .push:
      let title = pushTitle(params["payload"]).map { " \"\($0)\"" } ?? ""
      let isTapped = params["tapped"]?.bool ?? true
      return
        "Receive the push notification\(title)\(isTapped ? " and open it" : ", without opening it")."
    case .background: return "Send the app to the background."
    case .foreground: return "Bring the app back to the foreground."
    case .advanceClock: return "Let \(seconds(params["seconds"])) pass on the app's clock."
    case .setNetwork:
      return params["state"] == "offline"
        ? "Lose the connection to the network." : "Regain the connection to the network."
    default:
      let with = params["with"].map { " with \($0.text(.canonical))" }
      return "Do the app's own action \"\(params["action"]?.string ?? "")\"\(with ?? "")."
    }
  }

  private static func pushTitle(_ payload: JSONValue?) -> String? {
    let alert = payload?["aps"]?["alert"]
    return alert?.string ?? alert?["title"]?.string
  }

  private static func comparison(_ params: JSONObject) -> String {
    if let text = params["equals"]?.string { return "is \"\(text)\"" }
    if let text = params["contains"]?.string { return "contains \"\(text)\"" }
    return "matches the pattern \(params["matches"]?.string ?? "")"
  }

  private static func seconds(_ value: JSONValue?) -> String {
    Wording.seconds(value?.double ?? 0)
  }

  /// `"cartButton" in the 1st "MyItemCell" in "SearchResultViewController"`
  private static func element(_ value: JSONValue?) -> String {
    guard let text = value?.string else { return "" }
    guard let path = try? ElementPath(text) else { return "\"\(text)\"" }
    return path.segments.reversed().map(segment).joined(separator: " in ")
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
    let method = expectation.pattern.method.map { $0 == "ANY" ? "" : "\($0) " } ?? ""
    return "\(count(expectation.count, method)) to \(pattern(expectation.pattern))"
  }

  private static func count(_ count: ExpectedCount, _ method: String) -> String {
    switch count {
    case .exactly(0): "no \(method)request"
    case .exactly(1): "exactly 1 \(method)request"
    case .exactly(let count): "exactly \(count) \(method)requests"
    case .between(1?, nil), .between(nil, 1?): "\(count) \(method)request"
    case .between: "\(count) \(method)requests"
    }
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
