import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Where books are searched.
package protocol BookRepository: Sendable {
  /// - Parameter page: from 1.
  func search(_ query: String, page: Int) async throws -> BookPage
}

/// Why a search gave no page.
package enum BookSearchError: Error, Equatable {
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

/// Asks Kakao's book search through a session.
package struct LiveBookRepository: BookRepository {
  package static let pageSize = 10

  private let session: URLSession
  private let apiKey: String
  private let decoder: AnswerDecoder

  package init(session: URLSession, apiKey: String, decoder: AnswerDecoder) {
    self.session = session
    self.apiKey = apiKey
    self.decoder = decoder
  }

  package func search(_ query: String, page: Int) async throws -> BookPage {
    let answer: (status: Int, body: Data)
    do {
      answer = try await session.fetch(request(for: query, page: page))
    } catch is URLError {
      throw BookSearchError.network
    }
    switch answer.status {
    case 200..<300: return try self.page(from: answer.body)
    case 401: throw BookSearchError.unauthorized
    case 404: throw BookSearchError.notFound
    default: throw BookSearchError.status(answer.status)
    }
  }

  private func request(for query: String, page: Int) throws -> URLRequest {
    guard let endpoint = URL(string: "https://dapi.kakao.com/v3/search/book") else {
      throw URLError(.badURL)
    }
    let url = endpoint.appending(query: [
      ("query", query), ("page", "\(page)"), ("size", "\(Self.pageSize)"),
    ])
    var request = URLRequest(url: url)
    request.setValue("KakaoAK \(apiKey)", forHTTPHeaderField: "Authorization")
    return request
  }

  private func page(from body: Data) throws -> BookPage {
    let json = JSONDecoder()
    json.dateDecodingStrategy = .custom { decoder in
      let text = try decoder.singleValueContainer().decode(String.self)
      guard let date = Self.date(from: text) else {
        throw DecodingError.dataCorrupted(
          .init(codingPath: decoder.codingPath, debugDescription: "\"\(text)\" isn't a date."))
      }
      return date
    }
    do {
      return try decoder.decode(BookPage.self, from: body, by: json)
    } catch {
      throw BookSearchError.malformed
    }
  }

  /// `2014-11-17T00:00:00.000+09:00`
  private static func date(from text: String) -> Date? {
    let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    return try? style.parse(text)
  }
}

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
