/// How what a pattern says of the URL is compared with the URL of a request.
extension RequestPattern {
  func matchesOrigin(_ url: RequestURL) throws(MatchingDoubt) -> Bool {
    guard matchesScheme(url), port == nil || port == url.port else { return false }
    return try matchesHost(url)
  }

  func matchesScheme(_ url: RequestURL) -> Bool {
    guard let scheme else { return true }
    return url.scheme.map { scheme.lowercased() == Self.lowercased($0) } ?? false
  }

  func matchesHost(_ url: RequestURL) throws(MatchingDoubt) -> Bool {
    guard let host else { return true }
    return try host.matches(MatchedValue(url.host.map { Array(Self.lowercased($0).utf8) }))
  }

  private static func lowercased(_ bytes: ArraySlice<UInt8>) -> String {
    String(decoding: bytes, as: UTF8.self).lowercased()
  }

  func matchesTarget(
    _ request: MatchableRequest, _ volatile: VolatileParameters
  ) throws(MatchingDoubt) -> Bool {
    switch target {
    case nil: return true
    case .url(let wanted):
      let wanted = volatile.isEmpty ? RequestURL(wanted) : volatile.removed(from: .init(wanted))
      return wanted.bytes.elementsEqual(
        Self.compared(request.url(without: volatile), isRelative: wanted.bytes.first == Self.slash))
    case .urlPath(let wanted):
      let isRelative = wanted.utf8.first == Self.slash
      return wanted.utf8.elementsEqual(isRelative ? request.url.path : request.url.upToPath)
    case .urlPattern(let pattern):
      let isRelative = RegularExpressionSyntax.beginsWithSlash(pattern.pattern)
      if try pattern.matches(Self.compared(request.url, isRelative: isRelative)) { return true }
      if volatile.isEmpty { return false }
      let stripped = request.url(without: volatile)
      return try pattern.matches(Self.compared(stripped, isRelative: isRelative))
    case .urlPathPattern(let pattern):
      let isRelative = RegularExpressionSyntax.beginsWithSlash(pattern.pattern)
      return try pattern.matches(isRelative ? request.url.path : request.url.upToPath)
    }
  }

  private static func compared(_ url: RequestURL, isRelative: Bool) -> ArraySlice<UInt8> {
    isRelative ? url.pathAndQuery : url.bytes[...]
  }

  private static let slash = UInt8(ascii: "/")
}
