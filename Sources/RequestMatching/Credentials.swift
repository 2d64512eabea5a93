/// The headers that prove who sends a request: no report shows their values, nor those of cookies.
package enum Credentials {
  private static let headers: Set<String> = [
    "authorization", "proxy-authorization", "cookie", "set-cookie",
  ]

  package static func isCredential(header name: String) -> Bool {
    headers.contains(name.lowercased())
  }

  /// What is shown in place of a value: only its length, as `*** (24 characters)`.
  package static func masked(_ value: String) -> String { masked(characterCount: value.count) }

  package static func masked(characterCount count: Int) -> String {
    "*** (\(count) character\(count == 1 ? "" : "s"))"
  }
}
