import Foundation

/// What the search API answers: modules, one below the other.
package struct SearchResult: Decodable, Sendable {
  var modules: [SearchModule]
}

/// A block of items with a layout of its own.
struct SearchModule: Decodable, Sendable, Equatable {
  enum Layout: String, Decodable, Sendable {
    /// Items one below the other.
    case list
    /// Items side by side, moved by a swipe on them.
    case carousel
    /// One wide item.
    case banner
  }

  var id: String
  var layout: Layout
  var items: [SearchItem]
}

/// Something to buy; an ad where it carries tracking URLs.
struct SearchItem: Decodable, Sendable, Equatable {
  var id: String
  var title: String
  var price: Int
  var tracking: AdTrackingURLs?
}

/// Where an advertiser wants to hear of what happened to its ad.
struct AdTrackingURLs: Decodable, Sendable, Equatable {
  var impression: URL
  var click: URL
  var cart: URL

  private enum CodingKeys: CodingKey {
    case impression, click, cart
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    func url(_ key: CodingKeys) throws -> URL {
      // The brackets of macros. `URL` would encode them, and all that is encoded already once more.
      let text = try container.decode(String.self, forKey: key)
        .replacing("[", with: "%5B").replacing("]", with: "%5D")
      if let url = URL(string: text) { return url }
      throw DecodingError.dataCorruptedError(
        forKey: key, in: container, debugDescription: "Invalid URL string.")
    }
    impression = try url(.impression)
    click = try url(.click)
    cart = try url(.cart)
  }
}

/// Where an item stands in a result; the same ad at two places is two exposures.
struct ItemPosition: Hashable, Comparable {
  var module: Int
  var item: Int

  static func < (left: ItemPosition, right: ItemPosition) -> Bool {
    (left.module, left.item) < (right.module, right.item)
  }
}
