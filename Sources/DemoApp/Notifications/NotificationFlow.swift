import AppHarness
import Foundation

/// Notifications and deep links, put together: the router, the inbox, and the screens they lead to.
@MainActor final class NotificationFlow {
  private let dependencies: Dependencies
  private let navigation: NavigationController
  private let inbox = NotificationInbox()
  private let isLoggedIn: Bool
  private var linkAlert: LinkAlert?
  private lazy var router = LinkRouter(
    navigation: self, reporter: dependencies.linkErrors, events: dependencies.events,
    isLoggedIn: isLoggedIn, now: dependencies.now)

  init(_ dependencies: Dependencies, navigation: NavigationController, isLoggedIn: Bool) {
    self.dependencies = dependencies
    self.navigation = navigation
    self.isLoggedIn = isLoggedIn
  }

  /// Shows the home screen, or first asks the user to log in.
  func start() {
    guard !isLoggedIn else { return push(.home, parameters: .none) }
    navigation.setRoot(
      LoginViewController { [unowned self] in
        push(.home, parameters: .none)
        router.didLogIn()
      })
  }

  func open(_ url: URL) { router.route(Link(url: url)) }

  /// Takes a remote notification: into the inbox, and where it leads if it was tapped.
  ///
  /// - Parameter json: the payload; one of another shape is ignored.
  func receive(_ json: Data, tapped: Bool) {
    guard let payload = try? JSONDecoder().decode(PushPayload.self, from: json) else { return }
    inbox.receive(payload)
    dependencies.events.log(
      AnalyticsEvent(
        name: tapped ? "push_opened" : "push_delivered", parameters: ["id": payload.id]))
    guard tapped else { return }
    for link in Link.links(of: payload) { router.route(link) }
  }

  /// The alert that stands over the screen.
  var alert: Element? {
    typealias ID = AccessibilityID.LinkAlerts
    let ok = Element.button(ID.okButton, "OK") { [unowned self] in linkAlert = nil }
    return switch linkAlert {
    case nil: nil
    case .update:
      Element(
        .alert, ID.updateAlert, label: "Please update the app.",
        children: [
          ok,
          .button(ID.updateButton, "Update") { [dependencies] in
            dependencies.openURL(dependencies.storePage)
          },
        ])
    case .invalidLink:
      Element(
        .alert, ID.invalidLinkAlert, label: "This link is no longer valid.", children: [ok])
    }
  }
}

extension NotificationFlow: LinkNavigating {
  /// Home is the root of the stack: going there removes all other screens.
  func push(_ destination: LinkDestination, parameters: LinkParameters) {
    let screen = screen(destination, parameters)
    if destination == .home { navigation.setRoot(screen) } else { navigation.push(screen) }
  }

  func showWeb(_ url: URL) {
    navigation.push(
      WebViewController(url: url, openURL: dependencies.openURL) { [navigation] in
        navigation.pop()
      })
  }

  func show(_ alert: LinkAlert) { linkAlert = alert }

  private func screen(
    _ destination: LinkDestination, _ parameters: LinkParameters
  ) -> any ViewController {
    DestinationViewController(
      destination, parameters, content: content(of: destination, parameters)
    ) { [navigation] in navigation.pop() }
  }

  private func content(
    of destination: LinkDestination, _ parameters: LinkParameters
  ) -> DestinationContent {
    let repository = dependencies.notifications
    switch destination {
    case .home:
      return .home { [unowned self] in push(.notificationList, parameters: .none) }
    case .notificationList:
      return .inbox(
        NotificationListViewModel(inbox: inbox, repository: repository, router: router))
    case .notificationDetail:
      return .notification(
        NotificationDetailViewModel(
          id: parameters["id"] ?? "", repository: repository, router: router))
    case .myPage: return dependencies.analytics.map(DestinationContent.myPage) ?? .none
    default: return .none
    }
  }
}
