import Foundation
import HarnessProtocol
import RequestMatching
import SourceText
import StubMappings

/// The credentials that requests carry and that files expect, so that outputs can hide them: values
/// of credential headers, of cookies, and passwords in URLs.
package struct Credentials: Sendable {
  /// What stands in outputs in place of a value.
  package static let mask = "***"
  /// Characters: a shorter value stands in many texts by chance.
  package static let shortestLength = 4
  /// Of one cookie: values such as `true` and `dark` say nothing of who sends them.
  private static let shortestCookieLength = 8

  private static let headers: Set<String> = [
    "authorization", "proxy-authorization", "x-authorization", "cookie", "set-cookie", "x-api-key",
    "api-key", "x-auth-token", "x-access-token", "x-session-token", "x-csrf-token", "x-xsrf-token",
    "x-amz-security-token",
  ]

  package private(set) var values: Set<String> = []
  /// Requests of an app mostly have the same headers.
  private var latestHeaders: [UInt8] = []

  package init() {}

  // MARK: - Requests

  package mutating func add(_ request: RecordedRequestLine) {
    let hasUserInfo = request.withURLBytes { $0.contains(UInt8(ascii: "@")) }
    if hasUserInfo { add(passwordOf: request.withURLBytes { String(decoding: $0, as: UTF8.self) }) }
    guard let headers = request.headerBytes, !headers.elementsEqual(latestHeaders) else { return }
    latestHeaders = Array(headers)
    for (name, value) in request.headers { add(value, ofHeader: name) }
  }

  private mutating func add(_ value: String, ofHeader name: String) {
    let name = name.lowercased()
    guard Self.headers.contains(name) else { return }
    if name.hasSuffix("authorization") { return add(withoutScheme: value) }
    add(value)
    guard name.hasSuffix("cookie") else { return }
    // What follows in a response are attributes.
    for cookie in value.split(separator: ";").prefix(name == "cookie" ? .max : 1) {
      let parts = cookie.split(separator: "=", maxSplits: 1)
      if parts.count == 2 { add(ofCookie: String(parts[1])) }
    }
  }

  /// Of `Bearer abc` the second part.
  private mutating func add(withoutScheme value: String) {
    let parts = value.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: true)
    add(parts.count == 2 ? String(parts[1]) : value)
  }

  private mutating func add(ofCookie value: String) {
    if value.count >= Self.shortestCookieLength { add(value) }
  }

  private mutating func add(passwordOf url: String) {
    guard let start = url.firstRange(of: "://")?.upperBound else { return }
    let authority = url[start...].prefix { !"/?#".contains($0) }
    guard let end = authority.lastIndex(of: "@"),
      let colon = authority[..<end].firstIndex(of: ":")
    else { return }
    let password = String(authority[authority.index(after: colon)..<end])
    add(password)
    add(password.removingPercentEncoding ?? password)
  }

  private mutating func add(_ value: String) {
    if value.count >= Self.shortestLength { values.insert(value) }
  }

  // MARK: - Expectations

  /// What the expectations of a scenario and its stubs say.
  package mutating func add(_ scenario: Scenario) {
    for stubs in scenario.stubs { values.formUnion(stubs.credentials) }
    for expectation in scenario.expectationLists.joined() { add(expectation.pattern) }
  }

  /// What a stub expects, and what it answers.
  mutating func add(_ stub: Stub) {
    add(stub.pattern)
    for response in stub.responses {
      guard case .message(let message) = response.outcome else { continue }
      for header in message.headers { add(header.value, ofHeader: header.name) }
    }
  }

  private mutating func add(_ pattern: RequestPattern) {
    if case .url(let url)? = pattern.target { add(passwordOf: url) }
    for header in pattern.headers {
      for text in header.matcher.texts { add(text, ofHeader: header.name) }
    }
    for cookie in pattern.cookies {
      for text in cookie.matcher.texts { add(ofCookie: text) }
    }
  }

  // MARK: - Files

  /// What files say that people write, valid or not.
  package init(of files: [SourceFile]) {
    for root in files.compactMap({ JSONParser.parse($0).node }) { add(root) }
  }

  private mutating func add(_ node: JSONNode) {
    if let text = node.stringValue { add(passwordOf: text) }
    for element in node.arrayValue ?? [] { add(element) }
    let members = node.objectValue ?? []
    for member in members {
      if member.key == "cookies" {
        for text in member.value.texts { add(ofCookie: text) }
      } else if Self.headers.contains(member.key.lowercased()) {
        for text in member.value.texts { add(text, ofHeader: member.key) }
      }
      add(member.value)
    }
    // A header of a capture.
    if let name = node["name"]?.stringValue, let value = node["value"]?.stringValue {
      add(value, ofHeader: name)
    }
  }
}

extension JSONNode {
  /// All strings in it.
  fileprivate var texts: [String] {
    switch value {
    case .string(let text): [text]
    case .array(let elements): elements.flatMap(\.texts)
    case .object(let members): members.flatMap(\.value.texts)
    case .null, .bool, .number, .invalid: []
    }
  }
}

extension ValueMatcher {
  /// What a value is compared with.
  fileprivate var texts: [String] {
    switch self {
    case .equalTo(let text, _), .contains(let text), .doesNotContain(let text): [text]
    case .matches(let pattern), .doesNotMatch(let pattern): [pattern.pattern]
    default: parts.flatMap(\.texts)
    }
  }
}
