import AppHarness
import Foundation

/// Notifications and deep links, put together: the router, the inbox, and the screens they lead to.
@MainActor final class NotificationFlow {
  private let navigation: NavigationController
  private let repository: any NotificationRepository
  private let inbox = NotificationInbox()
  private let navigator: LinkNavigator
  private let router: LinkRouter
  private let receiver: PushReceiver
  private let updateApp: @MainActor () -> Void

  init(_ dependencies: Dependencies, navigation: NavigationController, isLoggedIn: Bool) {
    self.navigation = navigation
    repository = dependencies.notifications
    let screens = DestinationFactory(
      repository: dependencies.notifications, inbox: inbox, navigation: navigation,
      analytics: dependencies.analytics)
    navigator = LinkNavigator(
      navigation: navigation, openURL: dependencies.openURL, screen: screens.screen)
    updateApp = { dependencies.openURL(dependencies.storePage) }
    router = LinkRouter(
      navigation: navigator, reporter: dependencies.linkErrors, events: dependencies.events,
      isLoggedIn: isLoggedIn, now: dependencies.now)
    receiver = PushReceiver(inbox: inbox, router: router, events: dependencies.events)
    screens.router = router
  }

  /// Shows the home screen, or first asks the user to log in.
  func start(isLoggedIn: Bool) {
    guard !isLoggedIn else { return navigator.push(.home, parameters: .none) }
    navigation.setRoot(
      LoginViewController { [navigator, router] in
        navigator.push(.home, parameters: .none)
        router.didLogIn()
      })
  }

  func open(_ url: URL) { router.route(Link(url: url)) }

  func receive(_ json: Data, tapped: Bool) { receiver.receive(json, tapped: tapped) }

  /// The alert that stands over the screen.
  var alert: Element? {
    navigator.alert.map { alert in
      let ok = Element.button(AccessibilityID.LinkAlerts.okButton, "OK") { [navigator] in
        navigator.dismissAlert()
      }
      return switch alert {
      case .update:
        Element(
          .alert, AccessibilityID.LinkAlerts.updateAlert, label: "Please update the app.",
          children: [
            ok, .button(AccessibilityID.LinkAlerts.updateButton, "Update", tap: updateApp),
          ])
      case .invalidLink:
        Element(
          .alert, AccessibilityID.LinkAlerts.invalidLinkAlert,
          label: "This link is no longer valid.", children: [ok])
      }
    }
  }
}

/// Builds the screens that links lead to.
@MainActor final class DestinationFactory {
  /// Set once, by who builds both: screens route links, and links lead to screens.
  weak var router: LinkRouter?
  private let repository: any NotificationRepository
  private let inbox: NotificationInbox
  private let navigation: NavigationController
  private let analytics: AnalyticsClient?

  init(
    repository: any NotificationRepository, inbox: NotificationInbox,
    navigation: NavigationController, analytics: AnalyticsClient?
  ) {
    self.analytics = analytics
    self.repository = repository
    self.inbox = inbox
    self.navigation = navigation
  }

  func screen(_ destination: LinkDestination, _ parameters: LinkParameters) -> any ViewController {
    DestinationViewController(
      destination, parameters, content: content(of: destination, parameters)
    ) { [navigation] in navigation.pop() }
  }

  private func content(
    of destination: LinkDestination, _ parameters: LinkParameters
  ) -> (any DestinationContent)? {
    guard let router else { return nil }
    switch destination {
    case .home:
      return HomeContent { [self] in navigation.push(screen(.notification, .none)) }
    case .notification:
      return NotificationListContent(
        model: NotificationListViewModel(inbox: inbox, repository: repository, router: router))
    case .notificationDetail:
      return NotificationDetailContent(
        model: NotificationDetailViewModel(
          id: parameters["id"] ?? "", repository: repository, router: router))
    case .myPage: return analytics.map(MyPageContent.init)
    default: return nil
    }
  }
}
