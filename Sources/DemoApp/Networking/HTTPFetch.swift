import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension URLSession {
  /// A response's body with its status.
  ///
  /// - Throws: the transport's `URLError`.
  func fetch(_ request: URLRequest) async throws -> (status: Int, body: Data) {
    let (body, response) = try await data(for: request)
    guard let http = response as? HTTPURLResponse else { throw URLError(.badServerResponse) }
    return (http.statusCode, body)
  }
}
