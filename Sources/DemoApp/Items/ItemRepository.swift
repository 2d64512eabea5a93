import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Why an item could not be shown; each has an alert of its own.
package enum ItemError: String, Error, CaseIterable {
  /// Transport, or any status outside 200…299.
  case network
  case emptyBody
  /// Malformed or mistyped JSON.
  case malformed
}

/// Where items come from.
package protocol ItemRepository: Sendable {
  func item(id: Int) async throws(ItemError) -> Item
}

/// Asks the shop's server through a session.
package struct LiveItemRepository: ItemRepository {
  private let session: URLSession
  private let base: URL
  private let decoder: AnswerDecoder

  package init(session: URLSession, base: URL, decoder: AnswerDecoder) {
    self.session = session
    self.base = base
    self.decoder = decoder
  }

  package func item(id: Int) async throws(ItemError) -> Item {
    let request = URLRequest(url: base.appending(path: "items/\(id)"))
    guard let body = try? await session.fetchBody(request) else { throw .network }
    if body.isEmpty { throw .emptyBody }
    guard let item = try? decoder.decode(Item.self, from: body) else {
      throw .malformed
    }
    return item
  }
}

/// An item's detail as the server describes it.
package struct Item: Decodable, Sendable, Equatable {
  package var id: Int
  package var title: String
  package var descriptions: String
  package var price: Int
}
