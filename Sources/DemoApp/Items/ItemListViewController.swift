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
