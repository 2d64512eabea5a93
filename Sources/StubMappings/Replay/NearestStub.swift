import RequestMatching

/// The stub, or the captured exchange, that a request without an answer came nearest to.
package struct NearestStub: Sendable, Equatable {
  package var source: StubSource
  /// In what the request is not what the stub describes; empty where only the state is another.
  package var differences: [Difference]
  /// The state in which the stub answers, where it requires one.
  package var requiredState: StubState?
}

extension StubSet {
  /// What a request that no stub answered may have been meant for.
  ///
  /// - Returns: `nil` where nothing is near: no mistake in such a request would explain it.
  package func nearest(to request: MatchableRequest) -> NearestStub? {
    NearestStubSearch(self).nearest(to: request)
  }
}

/// Finds the nearest stubs of many requests: captures are prepared once.
package struct NearestStubSearch: Sendable {
  private let stubs: [Stub]
  private let exchanges: [CapturedRequests]

  package init(_ set: StubSet) {
    stubs = set.stubs
    exchanges = set.captures.map(CapturedRequests.init)
  }

  /// - Returns: `nil` where nothing is near.
  package func nearest(to request: MatchableRequest) -> NearestStub? {
    let candidates =
      stubs.map { Candidate($0, request) } + exchanges.map { $0.nearest(to: request) }
    return candidates.reduce(nil, Candidate.nearer)?.stub
  }
}

private struct Candidate {
  var stub: NearestStub
  var cost: Int

  init?(
    _ source: StubSource, _ pattern: RequestPattern,
    _ request: MatchableRequest, state: StubState? = nil
  ) {
    let differences = pattern.differences(from: request)
    let cost = NearMissCost(differences, conditions: pattern.conditionCount)
    guard cost.isNear else { return nil }
    stub = NearestStub(source: source, differences: differences, requiredState: state)
    self.cost = cost.total
  }

  init?(_ stub: Stub, _ request: MatchableRequest) {
    self.init(
      stub.source, stub.pattern, request, state: stub.state?.required == nil ? nil : stub.state)
  }

  /// Of equal ones the first.
  static func nearer(_ left: Candidate?, _ right: Candidate?) -> Candidate? {
    guard let left, let right else { return left ?? right }
    return right.cost < left.cost ? right : left
  }
}

/// The requests of a capture, prepared for being compared with many others.
private struct CapturedRequests: Sendable {
  private let capture: HARCapture
  private let profiles: [URLProfile]

  /// Of the entries whose URLs are equally near, the bodies of so many are compared.
  private static let bodyLimit = 32

  init(_ capture: HARCapture) {
    self.capture = capture
    // Of a capture that can't be read any more, nothing is near.
    profiles = ((try? capture.requestLines()) ?? []).map { method, url in
      URLProfile(RequestURL(ComparableURL.text(of: url)), method: method.uppercased())
    }
  }

  func nearest(to request: MatchableRequest) -> Candidate? {
    let sent = MatchableRequest(
      method: request.method.uppercased(), url: ComparableURL.text(of: request.url),
      body: request.decodedBody.bytes)
    return nearestEntries(to: sent).prefix(Self.bodyLimit)
      .map { candidate($0, sent) }.reduce(nil, Candidate.nearer)
  }

  /// Those whose method and URL cost least.
  private func nearestEntries(to sent: MatchableRequest) -> [Int] {
    let profile = URLProfile(sent.url, method: sent.method)
    var (least, nearest) = (Int.max, [Int]())
    for (entry, captured) in profiles.enumerated() {
      let cost = NearMissCost(captured, profile, isRelative: false, anyMethod: false)
      guard cost.isNear, cost.total <= least else { continue }
      if cost.total < least { (least, nearest) = (cost.total, []) }
      nearest.append(entry)
    }
    return nearest
  }

  private func candidate(_ entry: Int, _ sent: MatchableRequest) -> Candidate? {
    guard let captured = try? capture.request(of: entry), let line = try? capture.line(of: entry)
    else { return nil }
    let matcher = captured.body.isBody(of: sent) ? nil : captured.body.matcher
    let pattern = RequestPattern(
      method: captured.method.uppercased(),
      target: .url(ComparableURL.text(of: captured.url)),
      bodyPatterns: matcher.map { [$0] } ?? [])
    let source = StubSource(
      path: capture.path, line: line, name: "\(captured.method) \(captured.url.text)")
    return Candidate(source, pattern, sent)
  }
}
