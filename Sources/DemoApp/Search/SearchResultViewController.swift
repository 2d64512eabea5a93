import AppHarness

/// A search field above a result of modules.
@MainActor final class SearchResultViewController: ViewController, Draggable {
  private typealias ID = AccessibilityID.SearchResult

  private let model: SearchResultViewModel
  private var text = ""
  private var isEditing = false

  init(model: SearchResultViewModel) {
    self.model = model
  }

  func viewDidLoad() { model.viewDidLoad() }
  func viewDidAppear() { model.viewDidAppear() }
  func viewDidDisappear() { model.viewDidDisappear() }
  func drag(by points: Double) { model.scroll(by: points) }

  var view: Element {
    Element(.other, ID.view, children: [searchField, searchButton, content])
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
      model.search(text)
    }
  }

  private var content: Element {
    switch model.state {
    case .loading: .loading
    case .shown: resultList
    case .empty: .label(AccessibilityID.Common.emptyView, "Nothing found.")
    case .failed: error
    }
  }

  private var error: Element {
    let retry = Element.button(AccessibilityID.Common.retryButton, "Try again") { [model] in
      model.refresh()
    }
    return Element(
      .other, AccessibilityID.Common.errorView, label: "The search can't be reached.",
      children: [retry])
  }

  private var resultList: Element {
    let fractions = model.layout.visibleFractions
    let modules = model.modules.indices.map { module($0, fractions) }
    return Element(.scrollView, ID.resultList, children: modules)
      .onSwipe { [self] in scroll($0) }
  }

  private func module(_ index: Int, _ fractions: [ItemPosition: Double]) -> Element {
    let module = model.modules[index]
    let cells = module.items.indices.map { item in
      let position = ItemPosition(module: index, item: item)
      return cell(module.items[item], at: position, isVisible: fractions[position] != nil)
    }
    switch module.layout {
    case .list: return Element(.other, ID.list, children: cells)
    case .banner: return Element(.other, ID.banner, children: cells)
    case .carousel:
      return Element(.scrollView, ID.carousel, children: cells)
        .onSwipe { [self] in moveCarousel(index, $0) }
    }
  }

  private func cell(_ item: SearchItem, at position: ItemPosition, isVisible: Bool) -> Element {
    var parts: [Element] = [
      .label(AccessibilityID.Common.titleLabel, item.title),
      .label(AccessibilityID.Common.priceLabel, "\(item.price)"),
      .button(ID.cartButton, "Add to cart") { [model] in model.tapCart(at: position) },
    ]
    if item.tracking != nil { parts.append(.label(ID.adBadge, "Ad")) }
    return Element(.cell, ID.cell, isVisible: isVisible, children: parts)
      .onTap { [model] in model.tapItem(at: position) }
  }

  private func scroll(_ direction: SwipeDirection) {
    switch direction {
    case .up: model.scroll(by: ResultLayout.viewport.height)
    case .down where model.layout.isAtTop: model.refresh()
    case .down: model.scroll(by: -ResultLayout.viewport.height)
    case .left, .right: break
    }
  }

  /// Along the carousel it moves the carousel, across it the whole result.
  private func moveCarousel(_ index: Int, _ direction: SwipeDirection) {
    switch direction {
    case .left: model.moveCarousel(index, by: ResultLayout.viewport.width)
    case .right: model.moveCarousel(index, by: -ResultLayout.viewport.width)
    case .up, .down: scroll(direction)
    }
  }
}

/// A product that was opened from a result.
@MainActor final class ProductViewController: ViewController {
  private let item: SearchItem
  private let goBack: @MainActor () -> Void

  init(item: SearchItem, goBack: @escaping @MainActor () -> Void) {
    self.item = item
    self.goBack = goBack
  }

  var view: Element {
    Element(
      .other, AccessibilityID.Product.view,
      children: [
        .button(AccessibilityID.Common.backButton, "Back", tap: goBack),
        .label(AccessibilityID.Common.titleLabel, item.title),
        .label(AccessibilityID.Common.priceLabel, "\(item.price)"),
      ])
  }
}
