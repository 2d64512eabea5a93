import Foundation

/// What a link does to the screen; the app's navigation controller implements it.
@MainActor package protocol LinkNavigating: AnyObject {
  func push(_ destination: LinkDestination, parameters: LinkParameters)
  func showWeb(_ url: URL)
  func show(_ alert: LinkAlert)
}

/// Takes the user where a push notification, a URL or a button leads.
///
/// What comes before log-in waits, is routed once after it, and never again.
@MainActor package final class LinkRouter {
  private let navigation: any LinkNavigating
  private let reporter: any LinkErrorReporting
  private let events: any EventLogging
  private let now: @Sendable () -> Date
  private var waiting: [Link] = []
  private var isLoggedIn: Bool

  package init(
    navigation: any LinkNavigating, reporter: any LinkErrorReporting, events: any EventLogging,
    isLoggedIn: Bool, now: @escaping @Sendable () -> Date
  ) {
    self.navigation = navigation
    self.reporter = reporter
    self.events = events
    self.isLoggedIn = isLoggedIn
    self.now = now
  }

  /// Takes a link now, or after log-in.
  package func route(_ link: Link) {
    guard isLoggedIn else {
      waiting.append(link)
      return
    }
    follow(link)
  }

  /// Takes what waited, in the order in which it came.
  package func didLogIn() {
    isLoggedIn = true
    let links = waiting
    waiting = []
    for link in links { follow(link) }
  }

  private func follow(_ link: Link) {
    events.log(AnalyticsEvent(name: "link", parameters: ["link": link.text]))
    do throws(LinkError) {
      switch try link.resolved(at: now()) {
      case .screens(let way, let parameters): push(way, parameters)
      case .web(let url): navigation.showWeb(url)
      }
    } catch {
      reporter.report(error, link: link.text)
      if let alert = error.alert { navigation.show(alert) }
    }
  }

  /// A screen that lacks a parameter it needs ends the way where it is.
  private func push(_ way: [LinkDestination], _ parameters: LinkParameters) {
    for (index, destination) in way.enumerated() {
      let own = index == way.count - 1 ? parameters : .none
      guard destination.accepts(own) else { return }
      navigation.push(destination, parameters: own)
    }
  }
}

/// Shows where a link leads: pushes screens, and presents alerts over them.
@MainActor final class LinkNavigator: LinkNavigating {
  private(set) var alert: LinkAlert?
  private let navigation: NavigationController
  private let openURL: @MainActor (URL) -> Void
  /// Builds the screen of a destination.
  private let screen: @MainActor (LinkDestination, LinkParameters) -> any ViewController

  init(
    navigation: NavigationController, openURL: @escaping @MainActor (URL) -> Void,
    screen: @escaping @MainActor (LinkDestination, LinkParameters) -> any ViewController
  ) {
    self.navigation = navigation
    self.openURL = openURL
    self.screen = screen
  }

  /// Home is the root of the stack: going there removes all other screens.
  func push(_ destination: LinkDestination, parameters: LinkParameters) {
    let screen = screen(destination, parameters)
    if destination == .home { navigation.setRoot(screen) } else { navigation.push(screen) }
  }

  func showWeb(_ url: URL) {
    navigation.push(
      WebViewController(url: url, openURL: openURL) { [navigation] in navigation.pop() })
  }

  func show(_ alert: LinkAlert) { self.alert = alert }

  func dismissAlert() { alert = nil }
}
