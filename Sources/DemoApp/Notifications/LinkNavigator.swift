import Foundation

/// Shows where a link leads: pushes screens, and presents alerts over them.
@MainActor final class LinkNavigator: LinkNavigating {
  private(set) var alert: LinkAlert?
  private let navigation: NavigationController
  /// Builds the screen of a destination.
  private let screen: @MainActor (LinkDestination, LinkParameters) -> any ViewController

  init(
    navigation: NavigationController,
    screen: @escaping @MainActor (LinkDestination, LinkParameters) -> any ViewController
  ) {
    self.navigation = navigation
    self.screen = screen
  }

  /// Home is the first screen of its stack: who goes there leaves all others.
  func push(_ destination: LinkDestination, parameters: LinkParameters) {
    let screen = screen(destination, parameters)
    if destination == .home { navigation.setRoot(screen) } else { navigation.push(screen) }
  }

  func showWeb(_ url: URL) {
    navigation.push(WebViewController(url: url) { [navigation] in navigation.pop() })
  }

  func show(_ alert: LinkAlert) { self.alert = alert }

  func dismissAlert() { alert = nil }
}
