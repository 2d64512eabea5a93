import Foundation
import Testing

@testable import DemoApp

@Suite("A link is read in the order of the rules")
struct LinkRouteTests {
  private static let now = Date(timeIntervalSince1970: 1_800_000_000)  // 2027-01-15T08:00:00Z

  @Test(
    "a deep link leads through the tree",
    arguments: [
      ("home", [.home]),
      ("/home", [.home]),
      ("", [.home]),
      ("home/soptamp/entire-ranking", [.home, .soptamp, .entireRanking]),
      ("home/poke/notification-list", [.home, .poke, .pokeNotificationList]),
    ] as [(String, [LinkDestination])])
  func ways(text: String, way: [LinkDestination]) throws {
    #expect(try LinkRoute(deepLink: text, now: Self.now) == .screens(way, .none))
  }

  @Test(
    "what isn't a child of the screen before is not found",
    arguments: [
      "notification", "home/detail", "home/home", "home/poke/entire-ranking", "home/", "//home",
      "home/notification/detail/detail", "Home", "?id=1",
    ])
  func unknown(text: String) {
    #expect(throws: LinkError.linkNotFound) { try LinkRoute(deepLink: text, now: Self.now) }
  }

  @Test(
    "a link expires at its instant, and a malformed date has expired",
    arguments: [
      ("2027-01-15T07:59:59.999Z", true),
      ("2027-01-15T08:00:00.000Z", false),
      ("2027-01-15T08:00:00.001Z", false),
      ("2027-01-15T08:00:00Z", true),
      ("2027-01-15T09:00:00.000+09:00", true),
      ("2027-02-30T08:00:00.000Z", true),
      ("tomorrow", true),
      ("", true),
    ])
  func expiry(date: String, isExpired: Bool) {
    let link = "home/unknown?expiredAt=\(date.replacing("+", with: "%2B"))"
    let expected: LinkError = isExpired ? .expiredLink : .linkNotFound
    #expect(throws: expected) { try LinkRoute(deepLink: link, now: Self.now) }
  }

  @Test("of a repeated parameter the first counts, and values are decoded")
  func query() throws {
    let route = try LinkRoute(
      deepLink: "home/notification/detail?id=7%2F8&id=9&x", now: Self.now)
    guard case .screens(_, let parameters) = route else {
      Issue.record("no way")
      return
    }
    #expect(parameters["id"] == "7/8")
    #expect(parameters["x"] == nil)
  }

  @Test(
    "a web link is checked for a URL, its scheme, its expiry",
    arguments: [
      ("", LinkError.invalidLink),
      ("ftp://a.example.com/?expiredAt=2000-01-01T00:00:00.000Z", .invalidScheme),
      ("a.example.com", .invalidScheme),
      ("https://a.example.com/?expiredAt=2000-01-01T00:00:00.000Z", .expiredLink),
      ("HTTPS://a.example.com/?expiredAt=nonsense", .expiredLink),
    ])
  func webErrors(text: String, error: LinkError) {
    #expect(throws: error) { try LinkRoute(webLink: text, now: Self.now) }
  }

  @Test("the links of a notification: deep link, web link on top, or its own detail")
  func links() {
    let aps = PushPayload.APS(alert: .init(title: "t", body: "b"))
    let both = PushPayload(aps: aps, id: "1", deepLink: "home", webLink: "https://a")
    #expect(Link.links(of: both) == [.deep("home"), .web("https://a")])
    let none = PushPayload(aps: aps, id: "4 2")
    #expect(Link.links(of: none) == [.deep("home/notification/detail?id=4%202")])
  }

  @Test(
    "a payload of another shape is ignored",
    arguments: [
      #"{"aps":{"alert":"text"},"id":"1"}"#, #"{"aps":{"alert":{"title":"t","body":"b"}}}"#,
      #"{"aps":{"alert":{"title":"t"}},"id":"1"}"#, "{}", "[]", "",
    ])
  func otherShapes(json: String) {
    #expect(throws: (any Error).self) {
      try JSONDecoder().decode(PushPayload.self, from: Data(json.utf8))
    }
  }
}
