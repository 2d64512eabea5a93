import HarnessWire
import JSON
import RequestMatching
import SourceText

extension ActionDecoder {
  /// What a single step does; `nil` where that can't be told, which is reported.
  func action(_ shape: ActionShape, _ reader: ObjectReader) -> Action? {
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
      if let further = reader.value(key.name) { params[key.name] = JSONValue(further) }
    }
    addDefaults(verb, &params)
    checkFurther(verb, reader)
    return .send(verb, params: params)
  }

  private func expectRequests(_ reader: ObjectReader) -> Action? {
    guard let nodes = reader.list("expectRequests") else { return nil }
    if nodes.isEmpty {
      diagnostics.error(
        "\"expectRequests\" asks for nothing. Write what must have been sent so far, with a count of"
          + " 0 where it must not.", at: reader.node.location)
    }
    return expectations.expectations(nodes).map(Action.expectRequests)
  }

  private func subject(_ shape: ActionShape, _ value: JSONNode) -> JSONObject? {
    switch shape.subject {
    case .element:
      return elementPath(value) ? ["element": .string(value.stringValue ?? "")] : nil
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

  private static func number(_ node: JSONNode) -> JSONValue {
    node.integerValue.map(JSONValue.integer) ?? .double(node.doubleValue ?? 0)
  }

  private func addDefaults(_ verb: ActionVerb, _ params: inout JSONObject) {
    switch verb {
    case .longPress: params["duration"] = params["duration"] ?? 1
    case .waitForExistence, .waitForNonExistence: params["timeout"] = params["timeout"] ?? 5
    case .push: params["tapped"] = params["tapped"] ?? true
    default: break
    }
  }

  private func checkFurther(_ verb: ActionVerb, _ reader: ObjectReader) {
    switch verb {
    case .swipe: _ = reader.value("on").map(elementPath)
    case .typeText: _ = reader.value("into").map(elementPath)
    case .assertText: checkComparison(reader)
    case .openURL: _ = reader.value("openURL").map(checkURL)
    case .perform: ObjectReader.reportDoubles(in: reader.members("with") ?? [], diagnostics)
    default: break
    }
  }

  /// Whether a string is an element path; what is wrong with it is reported at its place.
  @discardableResult
  private func elementPath(_ node: JSONNode) -> Bool {
    do {
      _ = try ElementPath(node.stringValue ?? "")
      return true
    } catch {
      diagnostics.error(error.message, in: node, content: error.range)
      return false
    }
  }

  private func checkComparison(_ reader: ObjectReader) {
    let found = ["equals", "contains", "matches"].filter(reader.has)
    if found.isEmpty {
      diagnostics.error(
        "\"assertText\" wants to be told what the text must be."
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
          "\"\(text)\" is no regular expression: \(error).", in: pattern)
      }
    }
  }

  private func checkURL(_ node: JSONNode) {
    let text = node.stringValue ?? ""
    let scheme = text.prefix { $0 != ":" }
    let isScheme =
      scheme.count < text.count && scheme.first.map { $0.isASCII && $0.isLetter } ?? false
      && scheme.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
    if !isScheme {
      diagnostics.error(
        "\"\(text)\" is no absolute URL. It begins with a scheme, as \"myapp://home\".", in: node)
    } else if text.unicodeScalars.contains(where: { $0.value <= 0x20 || $0.value == 0x7F }) {
      diagnostics.error(
        "The URL \"\(text)\" contains white space. Write a space as %20.", in: node)
    }
  }
}
