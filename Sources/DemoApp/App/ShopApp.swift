import AppHarness
import Foundation

/// The app: its window, and what the system tells it.
@MainActor package final class ShopApp {
  private let navigation = NavigationController()
  private let cart: CartViewModel
  private let screens: ScreenFactory
  private let notifications: NotificationFlow
  private let events: any EventLogging
  private let analytics: AnalyticsClient?

  package init(_ dependencies: Dependencies, options: LaunchOptions) {
    cart = CartViewModel(clock: dependencies.clock)
    events = dependencies.events
    analytics = dependencies.analytics
    navigation.onAppear = { [analytics] screen in
      analytics?.track("Screen Viewed", ["screen": .text(screen.view.identifier)])
    }
    screens = ScreenFactory(dependencies, navigation: navigation, cart: cart)
    notifications = NotificationFlow(
      dependencies, navigation: navigation, isLoggedIn: options.isLoggedIn)
    if options.startScreen == .home || !options.isLoggedIn {
      notifications.start()
    } else {
      screens.start(with: options.startScreen)
    }
  }

  /// What is on screen.
  package var window: Element {
    let toast = cart.toast.map { Element.label(AccessibilityID.Common.cartToast, $0) }
    let views = [navigation.top?.view, toast, notifications.alert].compactMap { $0 }
    return Element(.window, children: views)
  }

  package func didEnterBackground() {
    navigation.didEnterBackground()
    events.flush()
    analytics?.flush()
  }

  package func willEnterForeground() { navigation.willEnterForeground() }

  /// Takes a URL that another app opened.
  package func open(_ url: URL) { notifications.open(url) }

  /// Takes a remote notification.
  package func receive(_ json: Data, tapped: Bool) { notifications.receive(json, tapped: tapped) }

  /// Moves what is on screen by a finger's way that is shorter than a swipe.
  package func drag(by points: Double) {
    (navigation.top as? any Draggable)?.drag(by: points)
  }
}
