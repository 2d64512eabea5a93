extension RequestPattern {
  /// Whether a request is what the pattern describes; all of its parts must hold.
  ///
  /// - Parameter volatile: parameters that are left out where the URL as a whole is compared. A matcher
  ///   of its own for such a parameter still counts, and so does a regular expression that matches
  ///   the URL with it.
  /// - Throws: `MatchingDoubt` where a regular expression can't decide in reasonable time, or a body can't be
  ///   decoded.
  package func matches(
    _ request: MatchableRequest, ignoring volatile: VolatileParameters = .none
  ) throws(MatchingDoubt) -> Bool {
    if let event {
      guard let sent = request.event else { return false }
      return try event.matches(sent)
    }
    guard request.event == nil, matchesMethod(request), try matchesOrigin(request.url),
      try matchesTarget(request, volatile)
    else { return false }
    for parameter in queryParameters {
      let values = request.values(ofParameter: Array(parameter.name.utf8))
      guard try parameter.matcher.matches(allOf: values) else { return false }
    }
    guard allowsOtherParameters || otherParameters(request, volatile).isEmpty else { return false }
    for header in headers {
      let values = request.values(ofHeader: header.name)
      guard try header.matcher.matches(allOf: values) else { return false }
    }
    for cookie in cookies {
      let values = request.values(ofCookie: cookie.name)
      guard try cookie.matcher.matches(allOf: values) else { return false }
    }
    for matcher in bodyPatterns where try !matcher.matches(bodyOf: request) { return false }
    return true
  }

  /// The parameters of a request that no matcher names.
  func otherParameters(
    _ request: MatchableRequest, _ volatile: VolatileParameters
  ) -> [QueryItem] {
    let names = queryParameters.map { Array($0.name.utf8) }
    return request.queryItems.filter { !names.contains($0.name) && !volatile.contains($0.name) }
  }

  func matchesMethod(_ request: MatchableRequest) -> Bool {
    guard let method, method != "ANY" else { return true }
    return method.hasSameBytes(as: request.method)
  }
}
