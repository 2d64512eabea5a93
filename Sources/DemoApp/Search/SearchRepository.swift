import Foundation

/// Where products are searched.
package protocol SearchRepository: Sendable {
  /// - Parameter query: what the user typed; empty for the recommendations at launch.
  func search(_ query: String) async throws -> SearchResult
}

/// Asks the shop's search API.
struct LiveSearchRepository: SearchRepository {
  let server: Server

  func search(_ query: String) async throws -> SearchResult {
    try await server.get(
      server.base.appending(path: "search").appending(query: [("query", query)]))
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
