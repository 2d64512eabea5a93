/// How far a request is from what a pattern expects, of an expectation or of a stub.
///
/// The weights say what people take for "the same request with a mistake in it": a parameter is soon wrong,
/// another path is rather another request.
package struct NearMissCost {
  /// Where it goes: method, scheme, host, port, path.
  package var place = 0
  /// What it says: parameters, headers, cookies, body.
  package var details = 0
  /// Whether, in spite of another path, something in it is as wanted.
  package var hasCommonGround = true

  package var total: Int { place + details }

  /// Whether the request can be told as a mistake for the wanted one at all.
  ///
  /// At the right place any number of wrong parameters will do.
  package var isNear: Bool { hasCommonGround && place + min(details, 8) <= 10 }

  static let method = 3
  static let scheme = 2
  static let host = 6
  static let port = 2
  static let onePathSegment = 5
  static let path = 8
  static let detail = 2
  package static let spelling = 1
  /// An exact match that another action caused.
  package static let wrongAction = 3
}

extension NearMissCost {
  /// From the differences themselves: the way for everything but plain URLs.
  ///
  /// - Parameter conditions: how many matchers the pattern has besides its target.
  package init(_ differences: [Difference], conditions: Int) {
    var missed = 0
    for difference in differences {
      switch difference.part {
      case .method: place += Self.method
      case .scheme: place += Self.scheme
      case .host: place += Self.host
      case .port: place += Self.port
      case .path:
        place += Self.pathCost(difference)
        hasCommonGround = Self.sharesSegment(difference) || conditions > 0
      case .url where difference.isCondition:
        place += Self.onePathSegment
        hasCommonGround = Self.sharesBeginning(difference)
      case .url, .fragment: details += Self.spelling
      case .eventName:
        place += Self.path
        hasCommonGround =
          conditions > 0 && differences.count == 1 && difference.wanted != nil
          && difference.got != nil
      case .queryParameter, .header, .cookie, .eventMember:
        details += Self.detail
        missed += 1
      case .body:
        details += Self.spelling
        missed += 1
      }
    }
    if place >= Self.onePathSegment, conditions > 0, missed >= conditions {
      hasCommonGround = false
    }
  }

  private static func segments(_ text: String?) -> [Substring] {
    (text ?? "").split(separator: "/")
  }

  private static func pathCost(_ difference: Difference) -> Int {
    let (wanted, got) = (segments(difference.wanted), segments(difference.got))
    let wrong = zip(wanted, got).count { $0 != $1 }
    return wanted.count == got.count && wrong <= 1 ? onePathSegment : path
  }

  private static func sharesSegment(_ difference: Difference) -> Bool {
    difference.isCondition
      || zip(segments(difference.wanted), segments(difference.got)).contains(where: ==)
  }

  /// Whether an expression and a URL have the host in common, as far as that can be seen.
  private static func sharesBeginning(_ difference: Difference) -> Bool {
    let wanted = (difference.wanted ?? "").replacing("\\", with: "")
    guard let host = RequestURL(difference.got ?? "").host else { return false }
    return wanted.contains(String(decoding: host, as: UTF8.self)) || !wanted.contains("://")
  }
}
