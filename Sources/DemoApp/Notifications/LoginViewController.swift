import AppHarness

/// What a user without an account sees first.
@MainActor final class LoginViewController: ViewController {
  private typealias ID = AccessibilityID.Login

  private let logIn: @MainActor () -> Void

  init(logIn: @escaping @MainActor () -> Void) {
    self.logIn = logIn
  }

  var view: Element {
    Element(.other, ID.view, children: [.button(ID.loginButton, "Log in", tap: logIn)])
  }
}
