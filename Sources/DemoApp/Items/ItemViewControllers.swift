import AppHarness

/// The items that the user has looked at, the last one first.
@MainActor final class ItemListViewController: ViewController {
  private typealias ID = AccessibilityID.ItemList

  private var items: [Item] = []
  private let open: @MainActor (Int) -> Void

  init(open: @escaping @MainActor (Int) -> Void) {
    self.open = open
  }

  func add(_ item: Item) {
    items.removeAll { $0.id == item.id }
    items.insert(item, at: 0)
  }

  var view: Element {
    let cells = items.map { item in
      Element(.cell, ID.cell, label: item.title).onTap { [open] in open(item.id) }
    }
    let empty = Element.label(AccessibilityID.Common.emptyView, "Nothing looked at yet.")
    return Element(.other, ID.view, children: items.isEmpty ? [empty] : cells)
  }
}

/// One item, or the alert that says why it can't be shown.
@MainActor final class ItemDetailViewController: ViewController {
  private typealias ID = AccessibilityID.ItemDetail

  private let model: ItemDetailViewModel
  private let goBack: @MainActor () -> Void

  init(model: ItemDetailViewModel, goBack: @escaping @MainActor () -> Void) {
    self.model = model
    self.goBack = goBack
  }

  func viewDidLoad() { model.viewDidLoad() }
  func viewDidDisappear() { model.viewDidDisappear() }

  var view: Element {
    let back = Element.button(AccessibilityID.Common.backButton, "Back", tap: goBack)
    return Element(.other, ID.view, children: [back] + content)
  }

  private var content: [Element] {
    switch model.state {
    case .loading: [.loading]
    case .shown(let item):
      [
        .label(AccessibilityID.Common.titleLabel, item.title),
        .label(ID.descriptionsLabel, item.descriptions),
        .label(AccessibilityID.Common.priceLabel, "\(item.price)"),
      ]
    case .failed(let error): [alert(for: error), retryButton]
    }
  }

  private func alert(for error: ItemError) -> Element {
    switch error {
    case .network: Element(.alert, ID.networkAlert, label: "The shop can't be reached.")
    case .emptyBody: Element(.alert, ID.emptyBodyAlert, label: "The shop sent nothing.")
    case .malformed: Element(.alert, ID.malformedAlert, label: "The answer can't be read.")
    }
  }

  private var retryButton: Element {
    .button(AccessibilityID.Common.retryButton, "Try again") { [model] in model.retry() }
  }
}
