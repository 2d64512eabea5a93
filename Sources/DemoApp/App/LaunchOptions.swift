/// What the app is told on its command line: `-screen home -loggedOut`.
package struct LaunchOptions: Sendable, Equatable {
  package var startScreen = StartScreen.search
  /// Whether the user has an account on this device.
  package var isLoggedIn = true

  /// - Throws: `LaunchOptionError` for what the app doesn't know.
  package init(_ arguments: [String]) throws(LaunchOptionError) {
    var rest = arguments[...]
    while let option = rest.popFirst() {
      switch option {
      case "-loggedOut": isLoggedIn = false
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
