import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A server of the app's, asked through a session.
struct Server: Sendable {
  let session: URLSession
  let base: URL
  let decoder: AnswerDecoder

  /// What the server answers to a `GET`, decoded.
  ///
  /// - Throws: a `URLError` where there is no answer, or its status isn't one of success; what the
  ///   decoder throws.
  func get<Answer: Decodable>(_ url: URL) async throws -> Answer {
    try decoder.decode(Answer.self, from: try await session.fetchBody(URLRequest(url: url)))
  }
}

/// Decodes what servers answer, and tells somebody what can't be decoded.
package struct AnswerDecoder: Sendable {
  private let report: @Sendable (any Error, Data) -> Void

  package init(report: @escaping @Sendable (any Error, Data) -> Void) {
    self.report = report
  }

  func decode<Value: Decodable>(
    _ type: Value.Type, from data: Data, by decoder: JSONDecoder = JSONDecoder()
  ) throws -> Value {
    do {
      return try decoder.decode(type, from: data)
    } catch {
      report(error, data)
      throw error
    }
  }
}

extension URLSession {
  /// A response's body with its status.
  ///
  /// - Throws: the transport's `URLError`.
  func fetch(_ request: URLRequest) async throws -> (status: Int, body: Data) {
    let (body, response) = try await data(for: request)
    guard let http = response as? HTTPURLResponse else { throw URLError(.badServerResponse) }
    return (http.statusCode, body)
  }

  /// The body of a response whose status is one of success.
  ///
  /// - Throws: a `URLError` for any other.
  func fetchBody(_ request: URLRequest) async throws -> Data {
    let answer = try await fetch(request)
    guard 200..<300 ~= answer.status else { throw URLError(.badServerResponse) }
    return answer.body
  }
}

extension URLRequest {
  /// A `POST` of a JSON body, in which the order of keys is always the same.
  init(posting body: some Encodable, to url: URL) throws {
    self.init(url: url)
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    httpMethod = "POST"
    httpBody = try encoder.encode(body)
    setValue("application/json", forHTTPHeaderField: "Content-Type")
  }
}

extension URL {
  /// The URL with a query whose values reach the server as typed.
  ///
  /// `URLComponents` leaves `+` alone, which servers read as a space; here it is encoded.
  func appending(query items: [(name: String, value: String)]) -> URL {
    guard var components = URLComponents(url: self, resolvingAgainstBaseURL: false) else {
      return self
    }
    components.percentEncodedQuery = items.map { "\(encoded($0.name))=\(encoded($0.value))" }
      .joined(separator: "&")
    return components.url ?? self
  }

  private func encoded(_ text: String) -> String {
    text.addingPercentEncoding(withAllowedCharacters: .unreserved) ?? text
  }
}

extension CharacterSet {
  /// The unreserved characters of RFC 3986, section 2.3.
  fileprivate static let unreserved = CharacterSet(
    charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
}

/// Whether the device has a network, told by whoever watches it.
@MainActor package final class NetworkStatus {
  package var isOnline: Bool {
    didSet {
      guard isOnline != oldValue else { return }
      if isOnline { returns += 1 }
      for observer in observers { observer(isOnline) }
    }
  }

  /// How often the network has come back: tells whether it did while something was under way.
  private(set) var returns = 0

  private var observers: [@MainActor (Bool) -> Void] = []

  package init(isOnline: Bool) {
    self.isOnline = isOnline
  }

  /// Calls back whenever the status changes.
  func observe(_ observer: @escaping @MainActor (Bool) -> Void) {
    observers.append(observer)
  }
}
