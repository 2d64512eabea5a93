import Foundation
import Testing

@testable import DemoApp

@MainActor @Suite("A link takes the user somewhere")
struct LinkRouterTests {
  @MainActor final class Navigation: LinkNavigating {
    var log: [String] = []

    func push(_ destination: LinkDestination, parameters: LinkParameters) {
      let query = parameters.text
      log.append(query.isEmpty ? destination.rawValue : "\(destination.rawValue)?\(query)")
    }

    func showWeb(_ url: URL) { log.append(url.absoluteString) }

    func show(_ alert: LinkAlert) { log.append(alert.rawValue) }
  }

  @MainActor final class Reporter: LinkErrorReporting {
    var errors: [LinkError] = []

    func report(_ error: LinkError, link: String) { errors.append(error) }
  }

  struct Events: EventLogging {
    func log(_ event: AnalyticsEvent) {}
    func flush() {}
  }

  private let navigation = Navigation()
  private let reporter = Reporter()

  private func router(isLoggedIn: Bool = true) -> LinkRouter {
    LinkRouter(
      navigation: navigation, reporter: reporter, events: Events(), isLoggedIn: isLoggedIn,
      now: { Date(timeIntervalSince1970: 1_800_000_000) })
  }

  @Test("only the last screen gets the query")
  func query() {
    router().route(.deep("home/attendance/attendance-modal?subLectureId=3&round=1"))
    #expect(navigation.log == ["home", "attendance", "attendance-modal?round=1&subLectureId=3"])
  }

  @Test(
    "a screen that lacks a parameter ends the way where it is",
    arguments: [
      "home/soptamp/current-generation-ranking?currentGeneration=34&status=LATER",
      "home/soptamp/current-generation-ranking?status=ACTIVE",
      "home/soptamp/current-generation-ranking",
    ])
  func missingParameter(link: String) {
    router().route(.deep(link))
    #expect(navigation.log == ["home", "soptamp"])
    #expect(reporter.errors.isEmpty)
  }

  @Test(
    "each error is reported once, two of them with an alert",
    arguments: [
      (Link.deep("home/unknown"), LinkError.linkNotFound, ["updateAlert"]),
      (.deep("home?expiredAt=x"), .expiredLink, ["invalidLinkAlert"]),
      (.web(""), .invalidLink, []),
      (.web("tel:1"), .invalidScheme, []),
    ])
  func errors(link: Link, error: LinkError, alerts: [String]) {
    router().route(link)
    #expect(reporter.errors == [error])
    #expect(navigation.log == alerts)
  }

  @Test("a link that comes before log-in waits, is routed once, and never again")
  func logIn() {
    let router = router(isLoggedIn: false)
    router.route(.deep("home/mypage"))
    #expect(navigation.log.isEmpty)
    router.didLogIn()
    #expect(navigation.log == ["home", "mypage"])
    router.didLogIn()
    #expect(navigation.log == ["home", "mypage"])
  }
}
