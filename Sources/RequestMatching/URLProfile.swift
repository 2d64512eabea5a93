/// The parts of a URL, taken apart once, so that it can be compared with many.
package struct URLProfile: Sendable {
  let method: String
  let url: RequestURL
  let segments: [ArraySlice<UInt8>]
  /// Name and `name=value` as sent, sorted: equal names stand together.
  let parameters: [Parameter]

  /// - Parameter url: without volatile parameters.
  package init(_ url: RequestURL, method: String?) {
    self.method = method ?? ""
    self.url = url
    segments = url.path.split(separator: UInt8(ascii: "/"))
    parameters = url.queryItems.map { ($0.name, $0.raw) }.sorted { Self.isBefore($0, $1) }
  }

  typealias Parameter = (name: [UInt8], item: ArraySlice<UInt8>)

  static func isBefore(_ left: Parameter, _ right: Parameter) -> Bool {
    left.name == right.name
      ? left.item.lexicographicallyPrecedes(right.item)
      : left.name.lexicographicallyPrecedes(right.name)
  }
}

extension NearMissCost {
  /// The same as from the differences, without making them.
  ///
  /// - Parameters:
  ///   - isRelative: scheme, host and port don't matter.
  ///   - anyMethod: the method doesn't.
  package init(_ wanted: URLProfile, _ got: URLProfile, isRelative: Bool, anyMethod: Bool) {
    let (wantedURL, gotURL) = (wanted.url, got.url)
    if !anyMethod, wanted.method != got.method { place += Self.method }
    if !isRelative {
      let isSameScheme = wantedURL.scheme ?? [] == gotURL.scheme ?? []
      if !isSameScheme { place += Self.scheme }
      if wantedURL.host ?? [] != gotURL.host ?? [] { place += Self.host }
      // A port that follows from the scheme alone isn't a difference of its own.
      let isWritten = wantedURL.parts.port != nil || gotURL.parts.port != nil
      if isSameScheme || isWritten, wantedURL.port ?? 0 != gotURL.port ?? 0 { place += Self.port }
    }
    let shared = takeParameters(wanted.parameters, got.parameters)
    if wantedURL.path != gotURL.path {
      let equal = zip(wanted.segments, got.segments).count { $0 == $1 }
      let isOne =
        wanted.segments.count == got.segments.count && wanted.segments.count - equal <= 1
      place += isOne ? Self.onePathSegment : Self.path
      hasCommonGround = wanted.parameters.isEmpty ? equal > 0 : shared > 0
    }
    if total == 0, wantedURL.bytes != gotURL.bytes { details += Self.spelling }
  }

  /// - Returns: how many parameters are the same.
  private mutating func takeParameters(
    _ wanted: [URLProfile.Parameter], _ got: [URLProfile.Parameter]
  ) -> Int {
    var (left, right, shared) = (0, 0, 0)
    // Of one name: those that only one side has; a pair of them is one wrong value.
    var (name, missing, extra) = ([UInt8]?.none, 0, 0)
    while left < wanted.count || right < got.count {
      let isLeft =
        right == got.count
        || left < wanted.count && !URLProfile.isBefore(got[right], wanted[left])
      let next = isLeft ? wanted[left] : got[right]
      if next.name != name {
        details += Self.detail * max(missing, extra)
        (name, missing, extra) = (next.name, 0, 0)
      }
      if left < wanted.count, right < got.count, wanted[left].item == got[right].item {
        shared += 1
        left += 1
        right += 1
      } else if isLeft {
        missing += 1
        left += 1
      } else {
        extra += 1
        right += 1
      }
    }
    details += Self.detail * max(missing, extra)
    return shared
  }
}
