import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Why an item could not be shown; each has an alert of its own.
enum ItemError: Error {
  /// Transport, or any status outside 200…299.
  case network
  case emptyBody
  /// Malformed or mistyped JSON.
  case malformed
}

/// Where items come from.
protocol ItemRepository: Sendable {
  func item(id: Int) async throws(ItemError) -> Item
}

/// Asks the shop's server.
struct LiveItemRepository: ItemRepository {
  let server: Server

  func item(id: Int) async throws(ItemError) -> Item {
    let request = URLRequest(url: server.base.appending(path: "items/\(id)"))
    guard let body = try? await server.session.fetchBody(request) else { throw .network }
    if body.isEmpty { throw .emptyBody }
    guard let item = try? server.decoder.decode(Item.self, from: body) else { throw .malformed }
    return item
  }
}

/// An item's detail as the server describes it.
struct Item: Decodable, Sendable, Equatable {
  var id: Int
  var title: String
  var descriptions: String
  var price: Int
}
