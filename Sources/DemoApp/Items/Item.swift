/// An item's detail as the server describes it.
public struct Item: Decodable, Sendable, Equatable {
  public var id: Int
  public var title: String
  public var descriptions: String
  public var price: Int
}
