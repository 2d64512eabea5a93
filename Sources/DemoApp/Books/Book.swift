import Foundation

/// A book as the search API describes it.
package struct Book: Decodable, Sendable, Equatable {
  package var title: String
  package var authors: [String]
  package var isbn: String
  package var translators: [String]
  package var publisher: String
  /// When it was published, with the publisher's offset from UTC.
  package var datetime: Date
  package var contents: String
  package var url: String
  package var price: Int
  package var salePrice: Int
  package var thumbnail: String
  package var status: String

  enum CodingKeys: String, CodingKey {
    case title, authors, isbn, translators, publisher, datetime, contents, url, price
    case salePrice = "sale_price"
    case thumbnail, status
  }
}

/// One page of a search.
package struct BookPage: Decodable, Sendable, Equatable {
  package struct Meta: Decodable, Sendable, Equatable {
    package var isEnd: Bool
    package var pageableCount: Int
    package var totalCount: Int

    enum CodingKeys: String, CodingKey {
      case isEnd = "is_end"
      case pageableCount = "pageable_count"
      case totalCount = "total_count"
    }
  }

  package var meta: Meta
  package var documents: [Book]
}
