/// A stack of screens, of which the top one shows.
@MainActor final class NavigationController {
  private(set) var screens: [any ViewController] = []
  /// Whether the app is in the foreground.
  private var isShown = true

  var top: (any ViewController)? { screens.last }

  func push(_ screen: any ViewController) {
    disappear()
    screens.append(screen)
    screen.viewDidLoad()
    appear()
  }

  /// Goes back; the first screen stays.
  func pop() {
    guard screens.count > 1 else { return }
    disappear()
    screens.removeLast()
    appear()
  }

  func didEnterBackground() {
    disappear()
    isShown = false
  }

  func willEnterForeground() {
    guard !isShown else { return }
    isShown = true
    appear()
  }

  private func appear() {
    if isShown { top?.viewDidAppear() }
  }

  private func disappear() {
    if isShown { top?.viewDidDisappear() }
  }
}
