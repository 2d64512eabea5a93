import Foundation

/// What the search API answers: modules, one below the other.
package struct SearchResult: Decodable, Sendable, Equatable {
  package var modules: [SearchModule]

  package init(modules: [SearchModule]) {
    self.modules = modules
  }
}

/// A block of items with a layout of its own.
package struct SearchModule: Decodable, Sendable, Equatable {
  package enum Layout: String, Decodable, Sendable {
    /// Items one below the other.
    case list
    /// Items side by side, moved by a swipe on them.
    case carousel
    /// One wide item.
    case banner
  }

  package var id: String
  package var layout: Layout
  package var items: [SearchItem]

  package init(id: String, layout: Layout, items: [SearchItem]) {
    self.id = id
    self.layout = layout
    self.items = items
  }
}

/// Something to buy; an ad where it carries tracking URLs.
package struct SearchItem: Decodable, Sendable, Equatable {
  package var id: String
  package var title: String
  package var price: Int
  package var tracking: AdTrackingURLs?

  package init(id: String, title: String, price: Int, tracking: AdTrackingURLs? = nil) {
    self.id = id
    self.title = title
    self.price = price
    self.tracking = tracking
  }
}

/// Where an advertiser wants to hear of what happened to its ad.
package struct AdTrackingURLs: Decodable, Sendable, Equatable {
  package var impression: URL
  package var click: URL
  package var cart: URL

  package init(impression: URL, click: URL, cart: URL) {
    self.impression = impression
    self.click = click
    self.cart = cart
  }

  private enum CodingKeys: CodingKey {
    case impression, click, cart
  }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    func url(_ key: CodingKeys) throws -> URL {
      // The brackets of macros. `URL` would encode them, and all that is encoded already once more.
      let text = try container.decode(String.self, forKey: key)
        .replacing("[", with: "%5B").replacing("]", with: "%5D")
      if let url = URL(string: text) { return url }
      throw DecodingError.dataCorruptedError(
        forKey: key, in: container, debugDescription: "Invalid URL string.")
    }
    self.init(impression: try url(.impression), click: try url(.click), cart: try url(.cart))
  }
}

/// Where an item stands in a result; the same ad at two places is two exposures.
package struct ItemPosition: Hashable, Comparable, Sendable {
  package var module: Int
  package var item: Int

  package init(module: Int, item: Int) {
    self.module = module
    self.item = item
  }

  package static func < (left: ItemPosition, right: ItemPosition) -> Bool {
    (left.module, left.item) < (right.module, right.item)
  }
}
