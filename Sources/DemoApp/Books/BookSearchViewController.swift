import AppHarness
import Foundation

/// A search field above a list of books.
@MainActor final class BookSearchViewController: ViewController {
  private typealias ID = AccessibilityID.BookSearch

  private let model: BookSearchViewModel
  private var scroll = RowScroll(rowsOnScreen: 6)
  private var text = ""
  private var isEditing = false

  init(model: BookSearchViewModel) {
    self.model = model
  }

  var view: Element {
    Element(.other, ID.view, children: [searchField, searchButton] + content)
      .onSwipe { [self] in swipe($0) }
  }

  private var searchField: Element {
    Element(.textField, ID.searchField, value: text, isFocused: isEditing)
      .onTap { [self] in isEditing = true }
      .onTypeText { [self] in text += $0 }
      .onClearText { [self] in text = "" }
  }

  private var searchButton: Element {
    .button(ID.searchButton, "Search") { [self] in
      isEditing = false
      scroll.goToTop()
      model.search(text)
    }
  }

  private var content: [Element] {
    switch model.state {
    case .idle: []
    case .loading: [.loading]
    case .results: cells
    case .empty: [.label(AccessibilityID.Common.emptyView, "No book found.")]
    case .failed(let error): [.label(AccessibilityID.Common.errorView, Self.message(of: error))]
    }
  }

  private var cells: [Element] {
    let visible = scroll.visible(of: model.books.count)
    return model.books.enumerated().map { index, book in
      Element(
        .cell, ID.cell, isVisible: visible.contains(index),
        children: [
          .label(AccessibilityID.Common.titleLabel, book.title),
          .label(ID.authorsLabel, book.authors.joined(separator: ", ")),
          .label(AccessibilityID.Common.priceLabel, "\(book.salePrice)"),
          .label(ID.publishedLabel, Self.day(of: book.datetime)),
        ])
    }
  }

  private func swipe(_ direction: SwipeDirection) {
    switch direction {
    case .up:
      scroll.pageDown(of: model.books.count)
      if scroll.isAtEnd(of: model.books.count) { model.didReachEnd() }
    case .down: scroll.pageUp()
    case .left, .right: break
    }
  }

  /// The day in Korea, whatever the device's time zone.
  private static func day(of date: Date) -> String {
    let korea = TimeZone(secondsFromGMT: 9 * 3600) ?? .gmt
    return date.formatted(Date.ISO8601FormatStyle(timeZone: korea).year().month().day())
  }

  private static func message(of error: BookSearchError) -> String {
    switch error {
    case .unauthorized: "The key was not accepted."
    case .notFound: "The search was not found."
    case .status(let status): "The search answered \(status)."
    case .malformed: "The answer can't be read."
    case .network: "The search can't be reached."
    }
  }
}
