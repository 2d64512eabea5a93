import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What a link does to the screen.
@MainActor protocol LinkNavigating: AnyObject {
  func push(_ destination: LinkDestination, parameters: LinkParameters)
  func showWeb(_ url: URL)
  func show(_ alert: LinkAlert)
}

/// Takes the user where a push notification, a URL or a button leads.
///
/// What comes before log-in waits, is routed once after it, and never again.
@MainActor final class LinkRouter {
  private unowned let navigation: any LinkNavigating
  private let reporter: any LinkErrorReporting
  private let events: any EventLogging
  private let now: @Sendable () -> Date
  private var waiting: [Link] = []
  private var isLoggedIn: Bool

  init(
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
  func route(_ link: Link) {
    guard isLoggedIn else {
      waiting.append(link)
      return
    }
    follow(link)
  }

  /// Takes what waited, in the order in which it came.
  func didLogIn() {
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

/// Tells the team that a link led nowhere.
@MainActor protocol LinkErrorReporting {
  func report(_ error: LinkError, link: String)
}

/// Reports each error by one tracking request.
struct LiveLinkErrorReporter: LinkErrorReporting {
  let session: URLSession

  func report(_ error: LinkError, link: String) {
    let query = [("error", error.rawValue)] + (link.isEmpty ? [] : [("link", link)])
    guard let url = URL(string: "https://track.example.com/link-error")?.appending(query: query)
    else { return }
    Task { [session] in _ = try? await session.data(from: url) }
  }
}
