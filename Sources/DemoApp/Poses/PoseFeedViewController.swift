import AppHarness
import Foundation

/// A feed of poses, two columns of three in sight.
@MainActor final class PoseFeedViewController: ViewController {
  private typealias ID = AccessibilityID.PoseFeed

  private let model: PoseFeedViewModel
  private var scroll = RowScroll(rowsOnScreen: 6)
  /// The cells that were in sight when it was last looked.
  private var displayed: Set<Int> = []

  init(model: PoseFeedViewModel) {
    self.model = model
    model.onChange = { [weak self] in self?.displayCells() }
  }

  func viewDidLoad() { model.viewDidLoad() }

  var view: Element {
    Element(.scrollView, ID.view, children: content).onSwipe { [self] in swipe($0) }
  }

  private var content: [Element] {
    switch model.state {
    case .loading: [.loading]
    case .shown: cells
    case .empty: [.label(AccessibilityID.Common.emptyView, "No poses yet.")]
    case .failed: [.label(AccessibilityID.Common.errorView, "The poses can't be loaded.")]
    }
  }

  private var cells: [Element] {
    let visible = scroll.visible(of: model.cells.count)
    return model.cells.enumerated().map { index, cell in
      Element(
        .cell, ID.cell, isVisible: visible.contains(index),
        children: [Self.image(cell.image)].compactMap { $0 })
    }
  }

  private static func image(_ image: PoseFeedViewModel.Image) -> Element? {
    switch image {
    case .none: nil
    case .loading: .loading
    case .shown(let image):
      Element(.image, ID.imageView, label: "\(image.width)×\(image.height)")
    case .placeholder: Element(.image, ID.placeholderView)
    }
  }

  private func swipe(_ direction: SwipeDirection) {
    switch direction {
    case .up: scrollDown()
    case .down where scroll.isAtTop: refresh()
    case .down:
      scroll.pageUp()
      displayCells()
    case .left, .right: break
    }
  }

  private func scrollDown() {
    scroll.pageDown(of: model.cells.count)
    displayCells()
    if scroll.isAtEnd(of: model.cells.count) { model.didReachEnd() }
  }

  private func refresh() {
    displayed = []
    model.refresh()
  }

  /// Tells the cells that have come into sight since the last time.
  private func displayCells() {
    let visible = Set(scroll.visible(of: model.cells.count))
    let new = visible.subtracting(displayed)
    displayed = visible
    for index in new.sorted() { model.willDisplayCell(at: index) }
  }
}
