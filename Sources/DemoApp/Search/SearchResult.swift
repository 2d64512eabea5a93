import Foundation

/// What the search API answers: modules, one below the other.
public struct SearchResult: Decodable, Sendable, Equatable {
  public var modules: [SearchModule]

  public init(modules: [SearchModule]) {
    self.modules = modules
  }
}

/// A block of items with a layout of its own.
public struct SearchModule: Decodable, Sendable, Equatable {
  public enum Layout: String, Decodable, Sendable {
    /// Items one below the other.
    case list
    /// Items side by side, moved by a swipe on them.
    case carousel
    /// One wide item.
    case banner
  }

  public var id: String
  public var layout: Layout
  public var items: [SearchItem]

  public init(id: String, layout: Layout, items: [SearchItem]) {
    self.id = id
    self.layout = layout
    self.items = items
  }
}

/// Something to buy; an ad where it carries tracking URLs.
public struct SearchItem: Decodable, Sendable, Equatable {
  public var id: String
  public var title: String
  public var price: Int
  public var tracking: AdTrackingURLs?

  public init(id: String, title: String, price: Int, tracking: AdTrackingURLs? = nil) {
    self.id = id
    self.title = title
    self.price = price
    self.tracking = tracking
  }
}

/// Where an advertiser wants to hear of what happened to its ad.
public struct AdTrackingURLs: Decodable, Sendable, Equatable {
  public var impression: URL
  public var click: URL
  public var cart: URL

  public init(impression: URL, click: URL, cart: URL) {
    self.impression = impression
    self.click = click
    self.cart = cart
  }
}

/// Where an item stands in a result; the same ad at two places is two exposures.
public struct ItemPosition: Hashable, Comparable, Sendable {
  public var module: Int
  public var item: Int

  public init(module: Int, item: Int) {
    self.module = module
    self.item = item
  }

  public static func < (left: ItemPosition, right: ItemPosition) -> Bool {
    (left.module, left.item) < (right.module, right.item)
  }
}
