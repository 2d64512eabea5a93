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

/// How far a list of equally high rows has been scrolled.
struct RowScroll {
  /// How many rows are in sight at a time.
  let rowsOnScreen: Int
  /// The first row in sight.
  private(set) var first = 0

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
