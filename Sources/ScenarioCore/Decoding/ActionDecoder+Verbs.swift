import HarnessProtocol
import JSON
import RequestMatching
import SourceText

extension ActionDecoder {
  /// What a single step does; `nil` where that can't be told, which is reported.
  func action(_ shape: ActionShape, _ reader: ObjectReader) -> StepAction? {
    switch shape.verb {
    case "terminate": return .terminate
    case "relaunch": return .relaunch
    case "expectRequests":
      return expectRequests(reader)
    default: break
    }
    guard let verb = ActionVerb(rawValue: shape.verb), let value = reader.value(shape.verb),
      var params = subject(shape, value)
    else { return nil }
    for key in shape.furtherKeys {
      if let further = reader.value(key.name) { params[key.name] = Self.value(further, key.kind) }
    }
    if verb == .assertText { checkComparison(reader) }
    if verb == .perform {
      ObjectReader.reportDuplicates(in: reader.members("with") ?? [], diagnostics)
    }
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

  private func expectRequests(_ reader: ObjectReader) -> StepAction? {
    guard let nodes = reader.list("expectRequests") else { return nil }
    if nodes.isEmpty {
      diagnostics.error(
        "\"expectRequests\" asks for nothing. Write what must have been sent so far, with a count of"
          + " 0 where it must not.", at: reader.node.location)
    }
    return expectations.expectations(nodes).map(StepAction.expectRequests)
  }

  private func subject(_ shape: ActionShape, _ value: JSONNode) -> JSONObject? {
    switch shape.subject {
    case .element:
      return ["element": .string(value.stringValue ?? "")]
    case .text(let parameter):
      return ["\(parameter)": .string(value.stringValue ?? "")]
    case .seconds:
      return ["seconds": Self.number(value)]
    case .payload:
      return payload(value).map { ["payload": $0] }
    case .flag:
      return [:]
    case .expectations, .repetitions, .stepsFile:
      return nil
    }
  }

  /// A variable supplies a text, also for a number or a boolean.
  private static func value(_ node: JSONNode, _ kind: ValueKind) -> JSONValue {
    switch kind {
    case .boolean: node.boolValue.map(JSONValue.bool) ?? JSONValue(node)
    case .number, .integer: number(node)
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
      do {
        _ = try TextPattern(text)
      } catch {
        diagnostics.error(
          "\"\(text)\" isn't a valid regular expression: \(error).", in: pattern)
      }
    }
  }
}
