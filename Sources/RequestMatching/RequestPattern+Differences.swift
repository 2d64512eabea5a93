import JSON

extension RequestPattern {
  /// In what a request is not what the pattern describes; empty where it matches.
  ///
  /// A regular expression that can't decide in reasonable time counts as one that doesn't match.
  package func differences(
    from request: MatchableRequest, ignoring volatile: VolatileParameters = .none
  ) -> [Difference] {
    guard (event == nil) == (request.event == nil) else {
      return [Difference(part: .eventName, wanted: event?.name, got: request.event?.name)]
    }
    if let event, let sent = request.event {
      return (try? event.differences(from: sent)) ?? []
    }
    return methodDifferences(request) + originDifferences(request.url)
      + targetDifferences(request, volatile)
      + queryParameters.compactMap { parameter in
        Self.difference(
          .queryParameter(parameter.name), parameter.matcher,
          request.values(ofParameter: Array(parameter.name.utf8)))
      }
      + (allowsOtherParameters ? [] : otherParameters(request, volatile)).map {
        Difference(
          part: .queryParameter(URLDifferences.text($0.name[...])), wanted: nil,
          got: URLDifferences.text($0.value[...]))
      }
      + headers.compactMap {
        Self.difference(.header($0.name), $0.matcher, request.values(ofHeader: $0.name))
      }
      + cookies.compactMap {
        Self.difference(.cookie($0.name), $0.matcher, request.values(ofCookie: $0.name))
      }
      + bodyPatterns.flatMap { Self.bodyDifferences($0, request) }
  }

  private func methodDifferences(_ request: MatchableRequest) -> [Difference] {
    matchesMethod(request)
      ? [] : [Difference(part: .method, wanted: method, got: request.method)]
  }

  private func originDifferences(_ url: RequestURL) -> [Difference] {
    var differences: [Difference] = []
    if !matchesScheme(url) {
      differences.append(
        Difference(part: .scheme, wanted: scheme, got: url.scheme.map(URLDifferences.text)))
    }
    if let host, (try? matchesHost(url)) != true {
      differences.append(
        Difference(
          part: .host, wanted: host.description, got: url.host.map(URLDifferences.text),
          isCondition: !host.isValue))
    }
    if let port, port != url.port {
      differences.append(
        Difference(part: .port, wanted: "\(port)", got: url.port.map { "\($0)" }))
    }
    return differences
  }

  private func targetDifferences(
    _ request: MatchableRequest, _ volatile: VolatileParameters
  ) -> [Difference] {
    guard let target, (try? matchesTarget(request, volatile)) != true else { return [] }
    switch target {
    case .url(let wanted):
      return URLDifferences(
        wanted: volatile.removed(from: RequestURL(wanted)),
        got: request.url(without: volatile), isRelative: wanted.utf8.first == UInt8(ascii: "/")
      ).differences
    case .urlPath(let wanted) where wanted.utf8.first == UInt8(ascii: "/"):
      return [
        Difference(part: .path, wanted: wanted, got: URLDifferences.text(request.url.path))
      ]
    case .urlPath(let wanted):
      return URLDifferences(
        wanted: RequestURL(wanted), got: RequestURL(bytes: Array(request.url.upToPath)),
        isRelative: false
      ).differences
    case .urlPattern(let pattern):
      return [
        Difference(
          part: .url, wanted: "matches \(pattern.pattern)", got: request.url.text,
          isCondition: true)
      ]
    case .urlPathPattern(let pattern):
      return [
        Difference(
          part: .path, wanted: "matches \(pattern.pattern)",
          got: URLDifferences.text(request.url.path), isCondition: true)
      ]
    }
  }

  private static func difference(
    _ part: Difference.Part, _ matcher: ValueMatcher, _ values: [[UInt8]]
  ) -> Difference? {
    if (try? matcher.matches(allOf: values)) == true { return nil }
    let got = values.map { URLDifferences.text($0[...]) }
    return Difference(
      part: part, wanted: matcher.description, got: got.isEmpty ? nil : got.joined(separator: ", "),
      isCondition: !matcher.isValue)
  }

  private static func differences(
    _ path: JSONPath, _ matcher: ValueMatcher?, in body: JSONValue
  ) -> [Difference] {
    let values = (try? path.values(in: body)) ?? []
    if case .equalToJson(let wanted, let comparison)? = matcher, path.isSingular, values.count == 1
    {
      return comparison.differences(wanted, values[0].meant, at: path.text)
    }
    let got = values.map { MatchedValue(partOfJSON: $0).text }
    return [
      Difference(
        part: .body(path.text), wanted: matcher.map { $0.description } ?? "is there",
        got: got.isEmpty ? nil : got.joined(separator: ", "),
        isCondition: matcher.map { !$0.isValue } ?? true)
    ]
  }

  /// A body that couldn't be decoded is compared as it was sent, which is said.
  private static func text(_ body: DecodedBody, isThere: Bool) -> String? {
    guard isThere else { return nil }
    let text = URLDifferences.text(body.bytes[...])
    return body.problem.map { "\(text) (as it was sent: the body \($0))" } ?? text
  }

  private static func bodyDifferences(
    _ matcher: ValueMatcher, _ request: MatchableRequest
  ) -> [Difference] {
    if (try? matcher.matches(MatchedValue(bodyOf: request))) == true { return [] }
    switch (matcher, request.bodyJSON) {
    case (.equalToJson(let wanted, let comparison), let got?):
      return comparison.differences(wanted, got)
    case (.matchesJsonPath(let path, let matcher), let got?):
      return differences(path, matcher, in: got)
    case (.and(let matchers), _): return matchers.flatMap { bodyDifferences($0, request) }
    default: break
    }
    return [
      Difference(
        part: .body("$"), wanted: matcher.description,
        got: text(request.decodedBody, isThere: request.body != nil),
        isCondition: !matcher.isValue)
    ]
  }
}

/// One part in which a request differs from a pattern; values are decoded.
package struct Difference: Sendable, Equatable {
  package enum Part: Sendable, Equatable {
    case method, scheme, host, port, path, url, fragment
    case queryParameter(String)
    case header(String)
    case cookie(String)
    /// A JSON path, `$` the whole body.
    case body(String)
    case eventName
    /// A path into an event, as `where` has it.
    case eventMember(String)

    /// Where it is in a body or an event; empty for other parts.
    package var path: String {
      switch self {
      case .body(let path), .eventMember(let path): path
      default: ""
      }
    }
  }

  package var part: Part
  /// What the pattern expects; `nil`: that it is absent.
  package var wanted: String?
  /// Whether `wanted` is a condition in words (`contains "x"`) rather than the value itself.
  package var isCondition: Bool
  /// What was sent; `nil`: nothing.
  package var got: String?

  package init(part: Part, wanted: String?, got: String?, isCondition: Bool = false) {
    self.part = part
    self.wanted = wanted
    self.got = got
    self.isCondition = isCondition
  }
}
