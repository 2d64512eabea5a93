/// One part in which a request differs from a pattern; values are decoded.
package struct Difference: Sendable, Equatable {
  package enum Part: Sendable, Equatable {
    case method, scheme, host, port, path, url, fragment
    case queryParameter(String)
    case header(String)
    case cookie(String)
    /// A JSON path, `$` the whole body.
    case body(String)
  }

  package var part: Part
  /// What the pattern wants; `nil`: that it is absent.
  package var wanted: String?
  /// Whether `wanted` is a condition in words (`contains "x"`) rather than the value itself.
  package var isCondition: Bool
  /// What was sent; `nil`: nothing.
  package var got: String?

  package init(part: Part, wanted: String?, got: String?, isCondition: Bool = false) {
    self.part = part
    self.wanted = wanted
    self.got = got
    self.isCondition = isCondition
  }
}
