import SourceText

/// Reads matchers; `nil` is wrong and reported.
struct MatcherDecoder {
  let diagnostics: DiagnosticCollector

  /// - Parameter namesHaveCase: `false` for headers.
  func named(
    _ members: [JSONMember]?, namesHaveCase: Bool = true
  ) -> [RequestPattern.NamedMatcher]? {
    guard let members else { return [] }
    ObjectReader.reportDoubles(in: members, diagnostics)
    if !namesHaveCase { reportDoublesInOtherCase(members) }
    let matchers = members.map { member in
      matcher(member.value, RequestPatternShape.valuesMatcher).map {
        RequestPattern.NamedMatcher(name: member.key, matcher: $0)
      }
    }
    return matchers.contains { $0 == nil } ? nil : matchers.compactMap { $0 }
  }

  private func reportDoublesInOtherCase(_ members: [JSONMember]) {
    var seen: [String: JSONMember] = [:]
    for member in members {
      let name = member.key.lowercased()
      if let first = seen[name], first.key != member.key {
        diagnostics.error(
          "\"\(member.key)\" is the same header as \"\(first.key)\". Keep one of them.",
          at: member.keyLocation, notes: [.init("The first one is here.", at: first.keyLocation)])
      }
      seen[name] = seen[name] ?? member
    }
  }

  func list(_ nodes: [JSONNode]?) -> [ValueMatcher]? {
    guard let nodes else { return [] }
    let matchers = nodes.map { matcher($0) }
    return matchers.contains { $0 == nil } ? nil : matchers.compactMap { $0 }
  }

  /// - Parameter shape: which operators there are.
  func matcher(
    _ node: JSONNode, _ shape: ObjectShape = RequestPatternShape.matcher
  ) -> ValueMatcher? {
    guard let reader = ObjectReader(node, shape, diagnostics) else { return nil }
    guard let key = theOperator(reader), let value = reader.value(key) else { return nil }
    guard RequestPatternShape.options.allSatisfy({ check($0.name, with: key, reader) }) else {
      return nil
    }
    return matcher(key, value, reader)
  }

  private func theOperator(_ reader: ObjectReader) -> String? {
    let options = RequestPatternShape.options.map(\.name)
    let operators = reader.shape.keys.map(\.name).filter { !options.contains($0) }
    let written = operators.filter(reader.has)
    if written.count == 1 { return written[0] }
    let known = (reader.node.objectValue ?? []).allSatisfy { reader.shape.key($0.key) != nil }
    if written.count > 1 {
      let others = written.dropFirst().map { "\"\($0)\"" }.joined(separator: ", ")
      diagnostics.error(
        "A matcher has one condition, and this has \"\(written[0])\" and \(others). Keep one.",
        at: reader.openingLocation)
    } else if known {
      diagnostics.error(
        "The matcher has no condition. Write one of "
          + operators.map { "\"\($0)\"" }.joined(separator: ", ") + ".",
        at: reader.node.location)
    }
    return nil
  }

  private func check(_ option: String, with key: String, _ reader: ObjectReader) -> Bool {
    guard reader.has(option) else { return true }
    let owner = option == "caseInsensitive" ? "equalTo" : "equalToJson"
    if key == owner { return reader.value(option) != nil }
    if let member = reader.member(option) {
      diagnostics.error(
        "\"\(option)\" belongs to \"\(owner)\", and means nothing with \"\(key)\".",
        at: member.keyLocation)
    }
    return false
  }

  private func matcher(
    _ key: String, _ value: JSONNode, _ reader: ObjectReader
  ) -> ValueMatcher? {
    let text = value.stringValue ?? ""
    let patterns = PatternDecoder(diagnostics: diagnostics)
    switch key {
    case "equalTo":
      return .equalTo(text, caseInsensitive: reader.bool("caseInsensitive") ?? false)
    case "contains": return .contains(text)
    case "doesNotContain": return .doesNotContain(text)
    case "matches": return patterns.pattern(text, value).map { .matches($0) }
    case "doesNotMatch": return patterns.pattern(text, value).map { .doesNotMatch($0) }
    case "absent": return .absent
    case "and": return operands(key, value).map { .and($0) }
    case "or": return operands(key, value).map { .or($0) }
    case "not": return self.matcher(value).map { .not($0) }
    case "hasExactly": return operands(key, value).map { .hasExactly($0) }
    case "includes": return operands(key, value).map { .includes($0) }
    default: return json(value, reader)
    }
  }

  private func operands(_ key: String, _ node: JSONNode) -> [ValueMatcher]? {
    let least = RequestPatternShape.leastOperands[key] ?? 1
    guard let nodes = node.arrayValue, nodes.count >= least else {
      diagnostics.error(
        "\"\(key)\" needs \(least == 1 ? "one matcher" : "\(least) matchers") or more.",
        at: node.location)
      return nil
    }
    return list(nodes)
  }

  private func json(_ node: JSONNode, _ reader: ObjectReader) -> ValueMatcher? {
    let comparison = JSONComparison(
      ignoreArrayOrder: reader.bool("ignoreArrayOrder") ?? false,
      ignoreExtraElements: reader.bool("ignoreExtraElements") ?? false)
    if let text = node.stringValue, text.contains("${json-unit.") {
      diagnostics.error(
        "Placeholders of JsonUnit (\"${json-unit…}\") are not supported here.",
        at: node.location)
      return nil
    }
    guard let text = node.stringValue else {
      return JSONBody(node, diagnostics).map { .equalToJson($0, comparison) }
    }
    guard let wanted = JSONBody(parsing: Array(text.utf8)) else {
      diagnostics.error(
        "The string of \"equalToJson\" is not JSON. Write the JSON itself, or mend it.",
        at: node.location)
      return nil
    }
    if let key = wanted.repeatedKey {
      diagnostics.error(
        "The key \"\(key)\" is written twice in the JSON of \"equalToJson\", and such an object "
          + "equals nothing. Keep one of them.", at: node.location)
      return nil
    }
    return .equalToJson(wanted, comparison)
  }
}

extension JSONBody {
  /// - Returns: `nil` where a part of the node can't be read, which is reported already.
  init?(_ node: JSONNode, _ diagnostics: DiagnosticCollector) {
    switch node.value {
    case .null: self = .null
    case .bool(let value): self = .bool(value)
    case .number(let text): self = .number(DecimalNumber(text))
    case .string(let text): self = Self.replaced(text, node.variable)
    case .array(let nodes):
      let elements = nodes.map { JSONBody($0, diagnostics) }
      guard !elements.contains(where: { $0 == nil }) else { return nil }
      self = .array(elements.compactMap { $0 })
    case .object(let nodes):
      ObjectReader.reportDoubles(in: nodes, diagnostics)
      let members = nodes.map { (key: $0.key, value: JSONBody($0.value, diagnostics)) }
      guard !members.contains(where: { $0.value == nil }) else { return nil }
      self = .object(
        written: members.compactMap { member in
          member.value.map { (member.key, $0) }
        })
    case .invalid: return nil
    }
  }

  /// A string that a variable replaced whole is what the variable is: a number, a boolean, a string.
  private static func replaced(_ text: String, _ variable: JSONVariable?) -> JSONBody {
    switch variable?.value {
    case .number(let number)?: .number(DecimalNumber(number))
    case .bool(let value)?: .bool(value)
    default: .string(text)
    }
  }
}

/// Reads regular expressions; `nil` is wrong and reported.
struct PatternDecoder {
  let diagnostics: DiagnosticCollector

  func pattern(_ text: String, _ node: JSONNode) -> TextPattern? {
    do {
      return try TextPattern(text)
    } catch {
      diagnostics.error(
        "\"\(text)\" is no regular expression\(Self.reason(text)).", at: node.location)
      return nil
    }
  }

  /// What Swift's own parser says of it: ICU only says that it doesn't like it.
  private static func reason(_ text: String) -> String {
    do {
      _ = try Regex(text)
      return ""
    } catch {
      return ": \(error)"
    }
  }
}
