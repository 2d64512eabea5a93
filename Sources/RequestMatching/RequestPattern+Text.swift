extension RequestPattern {
  /// The pattern in one line: the URL, after the method where it is neither `GET` nor any, then the
  /// conditions.
  ///
  /// - Parameter volatile: parameters whose value doesn't matter, shown as `(any)`.
  package func text(ignoring volatile: VolatileParameters = .none) -> String {
    if let event { return event.text }
    let method = method.map { ["ANY", "GET"].contains($0) ? [] : [$0] } ?? []
    let conditions =
      Self.conditions("", queryParameters)
      + Self.conditions("header ", headers) + Self.conditions("cookie ", cookies)
      + (allowsOtherParameters ? [] : ["no other parameter"])
      + bodyPatterns.map { "body \(Self.condition($0))" }
    let place = originText + targetText(volatile)
    let line = (method + [place.isEmpty ? "any URL" : place]).joined(separator: " ")
    return conditions.isEmpty ? line : "\(line) with \(conditions.joined(separator: ", "))"
  }

  private var originText: String {
    guard scheme != nil || host != nil || port != nil else { return "" }
    let host = host.map { $0.description ?? "no host" } ?? "*"
    return "\(scheme.map { $0 + "://" } ?? "")\(host)\(port.map { ":\($0)" } ?? "")"
  }

  private func targetText(_ volatile: VolatileParameters) -> String {
    switch target {
    case nil: ""
    case .url(let url): volatile.masked(in: url)
    case .urlPath(let path): path
    case .urlPattern(let pattern), .urlPathPattern(let pattern): "~\(pattern.pattern)"
    }
  }

  private static func conditions(_ kind: String, _ matchers: [NamedMatcher]) -> [String] {
    matchers.map { matcher in
      if case .equalTo(let text, caseInsensitive: false) = matcher.matcher {
        return "\(kind)\(matcher.name)=\(text)"
      }
      return "\(kind)\(matcher.name) \(condition(matcher.matcher))"
    }
  }

  private static func condition(_ matcher: ValueMatcher) -> String {
    matcher.description.map { matcher.isValue ? "= \($0)" : $0 } ?? "absent"
  }
}

extension VolatileParameters {
  /// A URL as findings show it: the values that don't matter as `(any)`.
  package func masked(in url: String) -> String {
    let parts = RequestURL(url)
    guard !isEmpty, let range = parts.parts.query, let query = parts.query else { return url }
    let items = query.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
    let shown = items.map { item -> String in
      let name = item.prefix { $0 != UInt8(ascii: "=") }
      let text = String(decoding: item, as: UTF8.self)
      return contains(QueryItem.decoded(name))
        ? String(decoding: name, as: UTF8.self) + "=(any)" : text
    }
    return String(decoding: parts.bytes[..<range.lowerBound], as: UTF8.self)
      + shown.joined(separator: "&")
      + String(decoding: parts.bytes[range.upperBound...], as: UTF8.self)
  }
}
