import Foundation

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
