import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Where products are searched.
package protocol SearchRepository: Sendable {
  /// - Parameter query: what the user typed; empty for the recommendations at launch.
  func search(_ query: String) async throws -> SearchResult
}

/// Asks the shop's search API through a session.
package struct LiveSearchRepository: SearchRepository {
  private let session: URLSession
  private let base: URL
  private let decoder: AnswerDecoder

  package init(session: URLSession, base: URL, decoder: AnswerDecoder) {
    self.session = session
    self.base = base
    self.decoder = decoder
  }

  package func search(_ query: String) async throws -> SearchResult {
    let url = base.appending(path: "search").appending(query: [("query", query)])
    let body = try await session.fetchBody(URLRequest(url: url))
    return try decoder.decode(SearchResult.self, from: body)
  }
}

/// Answers every search with the same JSON.
package struct FakeSearchRepository: SearchRepository {
  private let json: Data
  private let decoder: AnswerDecoder

  package init(json: Data, decoder: AnswerDecoder) {
    self.json = json
    self.decoder = decoder
  }

  package func search(_ query: String) async throws -> SearchResult {
    try decoder.decode(SearchResult.self, from: json)
  }
}
