import RequestMatching
import ScenarioCore

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
