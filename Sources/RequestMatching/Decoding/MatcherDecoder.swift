import SourceText

/// Reads matchers; `nil` is wrong and reported.
package struct MatcherDecoder {
  let diagnostics: DiagnosticCollector
  /// Whether they may refer to other expectations.
  let allowsRelations: Bool

  package init(diagnostics: DiagnosticCollector, allowsRelations: Bool = false) {
    self.diagnostics = diagnostics
    self.allowsRelations = allowsRelations
  }

  /// - Parameter namesHaveCase: `false` for headers.
  func named(
    _ members: [JSONMember]?, namesHaveCase: Bool = true
  ) -> [RequestPattern.NamedMatcher]? {
    guard let members else { return [] }
    if !namesHaveCase { reportDoublesInOtherCase(members) }
    return members.allMapped { member in
      matcher(member.value, RequestPatternShape.valuesMatcher).map {
        RequestPattern.NamedMatcher(name: member.key, matcher: $0)
      }
    }
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
    (nodes ?? []).allMapped { matcher($0) }
  }

  /// - Parameter shape: which operators there are.
  package func matcher(
    _ node: JSONNode, _ shape: ObjectShape = RequestPatternShape.matcher
  ) -> ValueMatcher? {
    ObjectReader(node, shape, diagnostics).flatMap { matcher($0) }
  }

  private func matcher(_ reader: ObjectReader) -> ValueMatcher? {
    guard let key = theOperator(reader), let value = reader.value(key) else { return nil }
    guard RequestPatternShape.options.allSatisfy({ check($0.name, with: key, reader) }) else {
      return nil
    }
    return matcher(key, value, reader)
  }

  private func theOperator(_ reader: ObjectReader) -> String? {
    let others =
      RequestPatternShape.options.map(\.name) + ["expression"]
      + (allowsRelations || reader.has("sameAs") ? [] : ["sameAs"])
    let operators = reader.shape.keys.map(\.name).filter { !others.contains($0) }
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
    switch key {
    case "equalTo":
      return .equalTo(text, caseInsensitive: reader.bool("caseInsensitive") ?? false)
    case "contains": return .contains(text)
    case "doesNotContain": return .doesNotContain(text)
    case "matches": return TextPattern(text, in: value, diagnostics).map { .matches($0) }
    case "doesNotMatch": return TextPattern(text, in: value, diagnostics).map { .doesNotMatch($0) }
    case "absent": return .absent
    case "and": return operands(key, value, reader).map { .and($0) }
    case "or": return operands(key, value, reader).map { .or($0) }
    case "not": return self.matcher(value).map { .not($0) }
    case "matchesJsonPath": return jsonPath(value)
    case "hasExactly": return operands(key, value, reader).map { .hasExactly($0) }
    case "includes": return operands(key, value, reader).map { .includes($0) }
    case "sameAs": return sameAs(text, reader)
    default: return json(value, reader)
    }
  }

  private func sameAs(_ name: String, _ reader: ObjectReader) -> ValueMatcher? {
    if allowsRelations { return .sameAs(name) }
    diagnostics.error(
      "\"sameAs\" refers to another expectation. It belongs in an expectation, under a query parameter,"
        + " a header, a cookie, the body or \"where\".",
      at: reader.member("sameAs")?.keyLocation ?? reader.openingLocation)
    return nil
  }

  private func operands(
    _ key: String, _ node: JSONNode, _ reader: ObjectReader
  ) -> [ValueMatcher]? {
    let least = reader.shape.key(key)?.kind.least ?? 1
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
    return WantedJSONDecoder(diagnostics: diagnostics).wanted(node).map {
      .equalToJson($0, comparison)
    }
  }

  /// A path, or an object with a path and a matcher for what it finds.
  private func jsonPath(_ node: JSONNode) -> ValueMatcher? {
    if node.stringValue != nil { return path(node).map { .matchesJsonPath($0, nil) } }
    guard let reader = ObjectReader(node, RequestPatternShape.jsonPathMatcher, diagnostics) else {
      return nil
    }
    let matcher = matcher(reader)
    guard let expression = reader.value("expression"), let path = path(expression) else {
      return nil
    }
    return matcher.map { .matchesJsonPath(path, $0) }
  }

  /// - Parameter start: where the path begins in the string, as UTF-8 offset.
  package func path(_ node: JSONNode, from start: Int = 0) -> JSONPath? {
    let text = String(decoding: (node.stringValue ?? "").utf8.dropFirst(start), as: UTF8.self)
    do throws(JSONPathError) {
      return try JSONPath(text)
    } catch {
      let place = min(error.offset, text.utf8.count)
      let range = start + place..<start + min(place + 1, text.utf8.count)
      diagnostics.error("\"\(text)\" isn't a JSONPath: \(error.message)", in: node, content: range)
      return nil
    }
  }
}

extension Sequence {
  /// What becomes of the elements; `nil` where nothing becomes of one, which the others are still asked for, so
  /// that all that is wrong is reported.
  package func allMapped<Result>(_ transform: (Element) -> Result?) -> [Result]? {
    let results = map(transform)
    let found = results.compactMap(\.self)
    return found.count == results.count ? found : nil
  }
}

extension TextPattern {
  /// Reads a regular expression; `nil` is wrong and reported.
  ///
  /// - Parameter node: where it is written.
  package init?(
    _ text: String, in node: JSONNode, dotMatchesLineBreaks: Bool = true,
    _ diagnostics: DiagnosticCollector
  ) {
    do {
      try self.init(text, dotMatchesLineBreaks: dotMatchesLineBreaks)
    } catch {
      diagnostics.error(
        "\"\(text)\" isn't a valid regular expression\(Self.reason(text)).", at: node.location)
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
