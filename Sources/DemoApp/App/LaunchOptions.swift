/// What the app is told on its command line: `-screen home -loggedOut`.
package struct LaunchOptions: Sendable, Equatable {
  var startScreen = StartScreen.search
  /// Whether the user has an account on this device.
  var isLoggedIn = true
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
    case .noScreen: "After \"-screen\" the name of a screen is expected, as \"books\"."
    }
  }
}

/// The screen that the app opens with.
enum StartScreen: Sendable, Equatable {
  case search
  case books
  case poses
  /// The poses that a user has bookmarked.
  case bookmarks(userID: Int)
  case item(Int)
  case deal
  case home

  /// Reads `books`, `items/42` and the like.
  init?(_ text: String) {
    let parts = text.split(separator: "/", maxSplits: 1)
    let number = parts.count > 1 ? Int(parts[1]) : nil
    switch (parts.first, number) {
    case ("search", nil): self = .search
    case ("books", nil): self = .books
    case ("poses", nil): self = .poses
    case ("deal", nil): self = .deal
    case ("home", nil): self = .home
    case ("bookmarks", let userID?): self = .bookmarks(userID: userID)
    case ("items", let id?): self = .item(id)
    default: return nil
    }
  }
}
