import AppHarness
import Foundation

/// The app: its window, and what the system tells it.
@MainActor package final class ShopApp {
  private let navigation = NavigationController()
  private let cart: CartViewModel
  private let screens: ScreenFactory
  private let notifications: NotificationFlow
  private let flushEvents: @MainActor () -> Void
  private let analytics: AnalyticsClient?

  package init(_ dependencies: Dependencies, options: LaunchOptions) {
    cart = CartViewModel(clock: dependencies.clock)
    flushEvents = dependencies.flushEvents
    analytics = dependencies.analytics
    navigation.onAppear = { [analytics] screen in
      analytics?.track("Screen Viewed", ["screen": .text(screen.view.identifier)])
    }
    screens = ScreenFactory(dependencies, navigation: navigation, cart: cart)
    notifications = NotificationFlow(
      dependencies, navigation: navigation, isLoggedIn: options.isLoggedIn)
    if options.startScreen == .home || !options.isLoggedIn {
      notifications.start(isLoggedIn: options.isLoggedIn)
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
    flushEvents()
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

/// What the app is told on its command line: `-screen home -loggedOut`.
package struct LaunchOptions: Sendable, Equatable {
  package var startScreen = StartScreen.search
  /// Whether the user has an account on this device.
  package var isLoggedIn = true
  /// Whether it is told how the app is used.
  package var hasAnalytics = false

  /// - Throws: `LaunchOptionError` for what the app doesn't know.
  package init(_ arguments: [String]) throws(LaunchOptionError) {
    var rest = arguments[...]
    while let option = rest.popFirst() {
      switch option {
      case "-loggedOut": isLoggedIn = false
      case "-analytics": hasAnalytics = true
      case "-screen":
        guard let name = rest.popFirst(), let screen = StartScreen(name) else { throw .noScreen }
        startScreen = screen
      default: throw .unknown(option)
      }
    }
  }
}

/// What is wrong with the command line.
package enum LaunchOptionError: Error, Equatable, CustomStringConvertible {
  case unknown(String)
  case noScreen

  package var description: String {
    switch self {
    case .unknown(let option): "The argument \"\(option)\" is unknown."
    case .noScreen: "After \"-screen\" the name of a screen is wanted, as \"books\"."
    }
  }
}
