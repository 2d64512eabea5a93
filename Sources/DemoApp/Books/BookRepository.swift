import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Where books are searched.
protocol BookRepository: Sendable {
  /// - Parameter page: from 1.
  func search(_ query: String, page: Int) async throws(BookSearchError) -> BookPage
}

/// Why a search gave no page.
enum BookSearchError: Error, Equatable {
  /// 401: the key is wrong or missing.
  case unauthorized
  /// 404.
  case notFound
  /// Any other status outside 200…299.
  case status(Int)
  /// The answer was no page of books.
  case malformed
  /// Nothing came back.
  case network
}

/// Asks Kakao's book search.
struct LiveBookRepository: BookRepository {
  static let pageSize = 10

  let server: Server
  let apiKey: String

  func search(_ query: String, page: Int) async throws(BookSearchError) -> BookPage {
    guard let answer = try? await server.session.fetch(request(for: query, page: page)) else {
      throw .network
    }
    switch answer.status {
    case 200..<300: break
    case 401: throw .unauthorized
    case 404: throw .notFound
    default: throw .status(answer.status)
    }
    let json = JSONDecoder()
    json.dateDecodingStrategy = .custom(Self.date)
    guard let page = try? server.decoder.decode(BookPage.self, from: answer.body, by: json) else {
      throw .malformed
    }
    return page
  }

  private func request(for query: String, page: Int) -> URLRequest {
    let url = server.base.appending(query: [
      ("query", query), ("page", "\(page)"), ("size", "\(Self.pageSize)"),
    ])
    var request = URLRequest(url: url)
    request.setValue("KakaoAK \(apiKey)", forHTTPHeaderField: "Authorization")
    return request
  }

  /// `2014-11-17T00:00:00.000+09:00`
  private static func date(from decoder: any Decoder) throws -> Date {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    if let date = try? style.parse(text) { return date }
    throw DecodingError.dataCorruptedError(
      in: container, debugDescription: "\"\(text)\" isn't a date.")
  }
}

/// A book as the search API describes it.
struct Book: Decodable, Sendable {
  var title: String
  var authors: [String]
  var isbn: String
  var translators: [String]
  var publisher: String
  /// When it was published, with the publisher's offset from UTC.
  var datetime: Date
  var contents: String
  var url: String
  var price: Int
  var salePrice: Int
  var thumbnail: String
  var status: String

  enum CodingKeys: String, CodingKey {
    case title, authors, isbn, translators, publisher, datetime, contents, url, price
    case salePrice = "sale_price"
    case thumbnail, status
  }
}

/// One page of a search.
struct BookPage: Decodable, Sendable {
  struct Meta: Decodable, Sendable, Equatable {
    var isEnd: Bool
    var pageableCount: Int
    var totalCount: Int

    enum CodingKeys: String, CodingKey {
      case isEnd = "is_end"
      case pageableCount = "pageable_count"
      case totalCount = "total_count"
    }
  }

  var meta: Meta
  var documents: [Book]
}
