import RequestMatching
import SourceText

/// Reads expectations.
struct ExpectationDecoder {
  let diagnostics: DiagnosticCollector

  /// - Parameter node: a list; `nil` gives `nil`.
  func expectations(_ nodes: [JSONNode]?) -> [Expectation]? {
    nodes.map { $0.compactMap(expectation) }
  }

  private func expectation(_ node: JSONNode) -> Expectation? {
    guard let reader = ObjectReader(node, ExpectationShape.shape, diagnostics) else { return nil }
    let pattern = RequestPattern(reader)
    guard let count = count(reader), let pattern else { return nil }
    return Expectation(pattern: pattern, count: count, location: node.location)
  }

  private func count(_ reader: ObjectReader) -> ExpectedCount? {
    guard let node = reader.value("count") else { return nil }
    if let exact = node.integerValue { return .exactly(exact) }
    guard let bounds = ObjectReader(node, ScenarioShapes.count, diagnostics) else { return nil }
    let (low, high) = (bounds.integer("atLeast"), bounds.integer("atMost"))
    if node.objectValue?.isEmpty ?? false {
      diagnostics.error(
        "\"count\" says nothing. Write a whole number, or \"atLeast\", \"atMost\" or both.",
        at: node.location)
      return nil
    }
    if let low, let high, low > high {
      diagnostics.error(
        "\"atLeast\" is \(low), but \"atMost\" only \(high): no count is accepted.",
        at: node.location)
      return nil
    }
    guard low != nil || high != nil else { return nil }
    return .between(atLeast: low, atMost: high)
  }
}
