/// A URL as numbers that are equal where its parts are, so that millions of pairs can be compared.
package struct URLProfile: Sendable {
  var method: Int
  var scheme: Int
  var host: Int
  var port: Int
  /// Whether the port is the scheme's own.
  var hasOwnPort: Bool
  var path: Int
  var segments: [Int]
  /// Sorted; equal names stand together.
  var parameters: [Parameter]
  /// The URL as a whole.
  var whole: Int

  struct Parameter: Comparable, Sendable {
    var name: Int
    /// Name and value as sent.
    var item: Int

    static func < (left: Self, right: Self) -> Bool {
      (left.name, left.item) < (right.name, right.item)
    }
  }
}

/// Gives equal bytes equal numbers.
package struct Interner: Sendable {
  private var numbers: [[UInt8]: Int] = [:]

  package init() {}

  mutating func number(_ bytes: some Sequence<UInt8>) -> Int {
    let key = Array(bytes)
    if let number = numbers[key] { return number }
    numbers[key] = numbers.count
    return numbers.count - 1
  }

  /// - Parameter url: without volatile parameters.
  package mutating func profile(_ url: RequestURL, method: String?) -> URLProfile {
    URLProfile(
      method: number((method ?? "").utf8), scheme: number(url.scheme ?? []),
      host: number(url.host ?? []), port: url.port ?? 0,
      hasOwnPort: url.parts.port == nil, path: number(url.path),
      segments: url.path.split(separator: UInt8(ascii: "/")).map { number($0) },
      parameters: url.queryItems.map {
        URLProfile.Parameter(name: number($0.name), item: number($0.raw))
      }.sorted(), whole: number(url.bytes))
  }
}

extension NearMissCost {
  /// The same as from the differences, without making them.
  ///
  /// - Parameters:
  ///   - isRelative: scheme, host and port don't matter.
  ///   - anyMethod: the method doesn't.
  package init(_ wanted: URLProfile, _ got: URLProfile, isRelative: Bool, anyMethod: Bool) {
    if !anyMethod, wanted.method != got.method { place += Self.method }
    if !isRelative {
      if wanted.scheme != got.scheme { place += Self.scheme }
      if wanted.host != got.host { place += Self.host }
      let followsScheme =
        wanted.scheme != got.scheme && wanted.hasOwnPort && got.hasOwnPort
      if wanted.port != got.port, !followsScheme { place += Self.port }
    }
    let shared = takeParameters(wanted.parameters, got.parameters)
    if wanted.path != got.path {
      let equal = zip(wanted.segments, got.segments).count { $0 == $1 }
      let isOne =
        wanted.segments.count == got.segments.count && wanted.segments.count - equal <= 1
      place += isOne ? Self.onePathSegment : Self.path
      hasCommonGround = wanted.parameters.isEmpty ? equal > 0 : shared > 0
    }
    if total == 0, wanted.whole != got.whole { details += Self.spelling }
  }

  /// - Returns: how many parameters are the same.
  private mutating func takeParameters(
    _ wanted: [URLProfile.Parameter], _ got: [URLProfile.Parameter]
  ) -> Int {
    var (left, right, shared) = (0, 0, 0)
    // Of one name: those that only one side has; a pair of them is one wrong value.
    var (name, missing, extra) = (-1, 0, 0)
    while left < wanted.count || right < got.count {
      let isLeft =
        right == got.count || (left < wanted.count && wanted[left] <= got[right])
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
