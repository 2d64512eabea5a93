import JSON
import SourceText

/// Reads the JSON of `equalToJson`, with its placeholders; `nil` is wrong and reported.
struct WantedJSONDecoder {
  let diagnostics: DiagnosticCollector

  /// - Parameter node: the JSON itself, or a string that holds it.
  func wanted(_ node: JSONNode) -> WantedJSON? {
    var node = node
    if let text = node.stringValue {
      guard let value = JSONValue(body: text.utf8) else {
        diagnostics.error(
          "The string of \"equalToJson\" isn't valid JSON. Correct it, or write the JSON itself.",
          at: node.location)
        return nil
      }
      node = JSONNode(value, at: node.location)
    }
    var placeholders: [ByteText: JSONPlaceholder] = [:]
    return value(node, &placeholders).map { WantedJSON($0, placeholders: placeholders) }
  }

  private func value(
    _ node: JSONNode, _ placeholders: inout [ByteText: JSONPlaceholder]
  ) -> JSONValue? {
    // A string that a variable replaced whole is what the variable is: a number, a boolean, a string.
    switch node.variable?.value ?? node.value {
    case .null: return .null
    case .bool(let value): return .bool(value)
    case .number(let text):
      if let number = JSONNumber(text) { return .number(number) }
      diagnostics.error("\"\(text)\" isn't a number as JSON writes it.", at: node.location)
      return nil
    case .string(let text):
      guard ["#{json-unit.", "${json-unit."].contains(where: text.hasPrefix) else {
        return .string(text)
      }
      let written = "#" + text.dropFirst()
      placeholders[ByteText(written)] = placeholder(text, node)
      return placeholders[ByteText(written)].map { _ in .string(written) }
    case .array(let elements):
      return elements.allMapped { value($0, &placeholders) }.map { .array($0) }
    case .object(let members):
      if reportDuplicates(in: members) { return nil }
      return members.allMapped { member in
        value(member.value, &placeholders).map { JSONObject.Member(member.key, $0) }
      }.map { .object(JSONObject($0)) }
    case .invalid: return nil
    }
  }

  private func reportDuplicates(in members: [JSONMember]) -> Bool {
    let keys = JSONObject(members.map { ($0.key, .null) })
    guard let key = keys.duplicateKeys.first,
      let member = members.last(where: { $0.key.hasSameBytes(as: key) })
    else { return false }
    diagnostics.error(
      "The key \"\(key)\" is written twice, and such an object equals nothing. Keep one of them.",
      at: member.keyLocation)
    return true
  }

  private func placeholder(_ text: String, _ node: JSONNode) -> JSONPlaceholder? {
    let end = text.firstIndex(of: "}") ?? text.endIndex
    let name = text[..<end].dropFirst("#{json-unit.".count)
    let rest = text[end...].dropFirst()
    if name == "regex" {
      return TextPattern(String(rest), in: node, dotMatchesLineBreaks: false, diagnostics)
        .map { .regex($0) }
    }
    let known = JSONPlaceholder.plain.first { $0.key == name }?.value
    if let known, rest.isEmpty { return known }
    let names = JSONPlaceholder.names.map { "\"#{json-unit.\($0)}\"" }
    diagnostics.error(
      known != nil
        ? "Nothing may follow \"#{json-unit.\(name)}\"."
        : "\"\(text)\" isn't a supported placeholder. There are \(names.joined(separator: ", ")).",
      at: node.location)
    return nil
  }
}

extension JSONNode {
  /// A value that was written inside a string: all of it is at the place of the string.
  init(_ value: JSONValue, at location: SourceLocation) {
    switch value {
    case .null: self.init(Value.null, at: location)
    case .bool(let value): self.init(Value.bool(value), at: location)
    case .number(let number): self.init(Value.number(number.text), at: location)
    case .string(let text): self.init(Value.string(text), at: location)
    case .array(let elements):
      self.init(Value.array(elements.map { JSONNode($0, at: location) }), at: location)
    case .object(let object):
      let members = object.members.map {
        JSONMember(key: $0.key, keyLocation: location, value: JSONNode($0.value, at: location))
      }
      self.init(Value.object(members), at: location)
    }
  }
}

extension JSONValue {
  /// A file's value as it crosses the pipe; a variable has the type that it was defined with.
  package init(_ node: JSONNode) {
    self.init(node.variable?.value ?? node.value)
  }

  private init(_ value: JSONNode.Value) {
    switch value {
    case .null, .invalid: self = .null
    case .bool(let value): self = .bool(value)
    case .number(let text): self = JSONNumber(text).map(JSONValue.number) ?? .null
    case .string(let text): self = .string(text)
    case .array(let elements): self = .array(elements.map(JSONValue.init))
    case .object(let members):
      self = .object(JSONObject(members.map { .init($0.key, JSONValue($0.value)) }))
    }
  }
}
