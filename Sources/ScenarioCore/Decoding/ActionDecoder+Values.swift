import HarnessProtocol
import JSON
import RequestMatching
import SourceText

extension ActionDecoder {
  /// What the app is asked to do; `nil` where that can't be told, which is reported.
  func action(_ verb: ActionVerb, _ shape: ActionShape, _ reader: ObjectReader) -> StepAction? {
    guard let value = reader.value(shape.name) else { return nil }
    var params: JSONObject = [:]
    if let parameter = shape.parameter {
      guard let read = verb == .push ? payload(value) : Self.value(value, shape.kind) else {
        return nil
      }
      params[parameter] = read
    }
    for key in shape.furtherKeys {
      if let further = reader.value(key.name) { params[key.name] = Self.value(further, key.kind) }
    }
    if verb == .assertText { checkComparison(reader) }
    do {
      return .app(try Action(verb, params))
    } catch {
      report(error, reader.value(error.key) ?? value)
      return nil
    }
  }

  /// Says it at its place, unless something else is wrong with this value already.
  private func report(_ error: ActionError, _ node: JSONNode) {
    guard error.message != ActionError.incomplete else { return }
    diagnostics.error(error.message, in: node, content: error.range)
  }

  func expectRequests(_ reader: ObjectReader) -> StepAction? {
    guard let nodes = reader.list("expectRequests") else { return nil }
    if nodes.isEmpty {
      diagnostics.error(
        "\"expectRequests\" asks for nothing. Write what must have been sent so far, with a count of"
          + " 0 where it must not.", at: reader.node.location)
    }
    return expectations.expectations(nodes).map(StepAction.expectRequests)
  }

  /// A variable supplies whatever the key takes: a text, a number or a boolean.
  private static func value(_ node: JSONNode, _ kind: ValueKind) -> JSONValue {
    switch kind {
    case .boolean: node.boolValue.map(JSONValue.bool) ?? JSONValue(node)
    case .number, .integer: number(node)
    case .string, .nonEmptyString, .text, .choice: .string(node.stringValue ?? "")
    default: JSONValue(node)
    }
  }

  private static func number(_ node: JSONNode) -> JSONValue {
    node.integerValue.map(JSONValue.integer) ?? .double(node.doubleValue ?? 0)
  }

  private func checkComparison(_ reader: ObjectReader) {
    let found = TextCondition.keys.filter(reader.has)
    if found.isEmpty {
      diagnostics.error(
        "\"assertText\" needs to know what the text must be."
          + " Write \"equals\", \"contains\" or \"matches\".", at: reader.openingLocation)
    } else if found.count > 1,
      let second = reader.node.objectValue?.last(where: { $0.key == found[1] })
    {
      diagnostics.error(
        "\"assertText\" has \"\(found[0])\" and \"\(found[1])\". Keep one of them.",
        at: second.keyLocation)
    }
    if let pattern = reader.value("matches"), let text = pattern.stringValue {
      _ = TextPattern(text, in: pattern, diagnostics)
    }
  }
}
