/// The screen that the app opens with.
package enum StartScreen: Sendable, Equatable {
  case search
  case books
  case poses
  /// The poses that a user has bookmarked.
  case bookmarks(userID: Int)
  case item(Int)
  case deal
  case home

  /// Reads `books`, `items/42` and the like.
  package init?(_ text: String) {
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
