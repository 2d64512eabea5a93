/// What a request must look like, in an expectation and in a stub alike.
///
/// The names and their meaning follow WireMock's stub-mapping JSON.
package struct RequestPattern: Sendable {
  /// How the URL is matched.
  ///
  /// A value that begins with `/` is matched against path and query on any host, any other against
  /// the absolute URL exactly as sent.
  package enum Target: Sendable {
    case url(String)
    case urlPattern(TextPattern)
    case urlPath(String)
    case urlPathPattern(TextPattern)
  }

  package struct NamedMatcher: Sendable {
    package var name: String
    package var matcher: ValueMatcher

    package init(name: String, matcher: ValueMatcher) {
      self.name = name
      self.matcher = matcher
    }
  }

  /// Any method where absent.
  package var method: String?
  package var target: Target?
  package var scheme: String?
  /// Tried on the host in small letters: the names of hosts have no case.
  package var host: ValueMatcher?
  package var port: Int?
  package var queryParameters: [NamedMatcher]
  /// Whether a query may have parameters that `queryParameters` doesn't name; volatile ones always may.
  package var allowsOtherParameters: Bool
  package var headers: [NamedMatcher]
  package var cookies: [NamedMatcher]
  package var bodyPatterns: [ValueMatcher]
  /// Set in a pattern that speaks of the events in requests, and of nothing else.
  package var event: EventPattern?

  package init(
    method: String? = nil, target: Target? = nil, scheme: String? = nil, host: ValueMatcher? = nil,
    port: Int? = nil, queryParameters: [NamedMatcher] = [], allowsOtherParameters: Bool = true,
    headers: [NamedMatcher] = [],
    cookies: [NamedMatcher] = [], bodyPatterns: [ValueMatcher] = []
  ) {
    self.method = method
    self.target = target
    self.scheme = scheme
    self.host = host
    self.port = port
    self.queryParameters = queryParameters
    self.allowsOtherParameters = allowsOtherParameters
    self.headers = headers
    self.cookies = cookies
    self.bodyPatterns = bodyPatterns
  }

  /// A pattern that speaks of events.
  package init(event: EventPattern) {
    self.init()
    self.event = event
  }

  /// How many matchers there are besides the target.
  package var conditionCount: Int {
    event?.conditions.count
      ?? queryParameters.count + (allowsOtherParameters ? 0 : 1) + headers.count + cookies.count
      + bodyPatterns.count
  }
}
