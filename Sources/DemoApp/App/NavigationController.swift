/// A stack of screens, of which the top one shows.
///
/// As in UIKit, what is pushed in one go appears at the end of it: screens in between are loaded
/// when the user comes back to them.
@MainActor final class NavigationController {
  private(set) var screens: [any ViewController] = []
  private var loaded: Set<ObjectIdentifier> = []
  private var appeared: (any ViewController)?
  private var isInForeground = true

  /// Called when a screen has come into sight.
  var onAppear: @MainActor (any ViewController) -> Void = { _ in }

  var top: (any ViewController)? { screens.last }

  /// Shows a screen alone.
  func setRoot(_ screen: any ViewController) { setScreens([screen]) }

  func push(_ screen: any ViewController) { setScreens(screens + [screen]) }

  /// Goes back; the first screen stays.
  func pop() {
    if screens.count > 1 { setScreens(screens.dropLast()) }
  }

  func didEnterBackground() {
    isInForeground = false
    updateAppearance()
  }

  func willEnterForeground() {
    isInForeground = true
    updateAppearance()
  }

  private func setScreens(_ new: [any ViewController]) {
    screens = new
    loaded.formIntersection(new.map { ObjectIdentifier($0) })
    Task { updateAppearance() }
  }

  private func updateAppearance() {
    let shown = isInForeground ? top : nil
    guard shown !== appeared else { return }
    appeared?.viewDidDisappear()
    appeared = shown
    guard let shown else { return }
    if loaded.insert(ObjectIdentifier(shown)).inserted { shown.viewDidLoad() }
    shown.viewDidAppear()
    onAppear(shown)
  }
}
