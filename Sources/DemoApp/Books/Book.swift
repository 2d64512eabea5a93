import Foundation

/// A book as the search API describes it.
public struct Book: Decodable, Sendable, Equatable {
  public var title: String
  public var authors: [String]
  public var isbn: String
  public var translators: [String]
  public var publisher: String
  /// When it was published, with the publisher's offset from UTC.
  public var datetime: Date
  public var contents: String
  public var url: String
  public var price: Int
  public var salePrice: Int
  public var thumbnail: String
  public var status: String

  enum CodingKeys: String, CodingKey {
    case title, authors, isbn, translators, publisher, datetime, contents, url, price
    case salePrice = "sale_price"
    case thumbnail, status
  }
}

/// One page of a search.
public struct BookPage: Decodable, Sendable, Equatable {
  public struct Meta: Decodable, Sendable, Equatable {
    public var isEnd: Bool
    public var pageableCount: Int
    public var totalCount: Int

    enum CodingKeys: String, CodingKey {
      case isEnd = "is_end"
      case pageableCount = "pageable_count"
      case totalCount = "total_count"
    }
  }

  public var meta: Meta
  public var documents: [Book]
}
