import AppHarness

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
