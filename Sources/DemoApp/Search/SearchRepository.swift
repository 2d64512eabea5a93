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

  package init(session: URLSession, base: URL) {
    self.session = session
    self.base = base
  }

  package func search(_ query: String) async throws -> SearchResult {
    let url = base.appending(path: "search").appending(query: [("query", query)])
    let answer = try await session.fetch(URLRequest(url: url))
    guard 200..<300 ~= answer.status else { throw URLError(.badServerResponse) }
    return try JSONDecoder().decode(SearchResult.self, from: answer.body)
  }
}

/// Answers every search with the same JSON.
package struct FakeSearchRepository: SearchRepository {
  private let json: Data

  package init(json: Data) {
    self.json = json
  }

  package func search(_ query: String) async throws -> SearchResult {
    try JSONDecoder().decode(SearchResult.self, from: json)
  }
}
