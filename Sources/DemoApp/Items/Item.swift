/// An item's detail as the server describes it.
package struct Item: Decodable, Sendable, Equatable {
  package var id: Int
  package var title: String
  package var descriptions: String
  package var price: Int
}
