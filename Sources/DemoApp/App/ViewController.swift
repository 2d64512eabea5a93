import AppHarness

/// A screen of the app.
@MainActor protocol ViewController: AnyObject {
  /// What the screen shows.
  var view: Element { get }

  func viewDidLoad()
  func viewDidAppear()
  func viewDidDisappear()
}

extension ViewController {
  func viewDidLoad() {}
  func viewDidAppear() {}
  func viewDidDisappear() {}
}

/// A screen that follows a finger point by point.
@MainActor protocol Draggable {
  /// - Parameter points: how far the content moves up; down where negative.
  func drag(by points: Double)
}

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

/// How far a list of equally high rows has been scrolled.
struct RowScroll: Equatable {
  /// How many rows are in sight at a time.
  let rowsOnScreen: Int
  /// The first row in sight.
  private(set) var first = 0

  init(rowsOnScreen: Int) {
    self.rowsOnScreen = rowsOnScreen
  }

  func visible(of count: Int) -> Range<Int> {
    min(first, count)..<min(first + rowsOnScreen, count)
  }

  var isAtTop: Bool { first == 0 }

  func isAtEnd(of count: Int) -> Bool { first + rowsOnScreen >= count }

  /// Scrolls one screen down, as far as there are rows.
  mutating func pageDown(of count: Int) {
    first = max(0, min(first + rowsOnScreen, count - rowsOnScreen))
  }

  mutating func pageUp() {
    first = max(0, first - rowsOnScreen)
  }

  mutating func goToTop() { first = 0 }
}
