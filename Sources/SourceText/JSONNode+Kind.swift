extension JSONNode {
  /// What a message says was found: `the number 3`, `an object`.
  package var foundDescription: String {
    switch value {
    case .null: "null"
    case .bool(let value): "\(value)"
    case .number(let text): "the number \(Self.shortened(text))"
    case .string(""): "an empty string"
    case .string(let text): "the string \"\(Self.shortened(text))\""
    case .array: "a list"
    case .object: "an object"
    case .invalid: "a value that can't be read"
    }
  }

  private static func shortened(_ text: String) -> String {
    text.count > 40 ? text.prefix(37) + "…" : text
  }

  /// The number that the node is, or that a variable supplies.
  package var numberText: String? {
    switch value {
    case .number(let text): text
    case .string(let text) where variable != nil && Double(text) != nil: text
    default: nil
    }
  }

  package var doubleValue: Double? { numberText.flatMap(Double.init) }

  /// A whole number; `2.0` and `2e3` count as well.
  package var integerValue: Int? {
    numberText.flatMap { Int($0) ?? Double($0).flatMap(Int.init(exactly:)) }
  }

  /// The boolean that the node is, or that a variable supplies.
  package var boolValue: Bool? {
    switch value {
    case .bool(let value): value
    case .string(let text) where variable != nil: Bool(text)
    default: nil
    }
  }

  /// Reports what is not of a kind.
  ///
  /// - Parameter name: what the message calls the value, quotes included: `"timeout"`.
  /// - Returns: the value, entries of lists and objects that are wrong replaced by `.invalid`;
  ///   `nil` where nothing of it can be used.
  package func checked(
    _ kind: ValueKind, as name: @autoclosure () -> String, _ diagnostics: DiagnosticCollector
  ) -> JSONNode? {
    if fits(kind) { return self }
    if isInvalid { return nil }
    let name = name()
    switch (kind, value) {
    case (.list(let elementKind, _), .array(let elements)):
      var result = self
      result.value = .array(
        elements.enumerated().map { index, element in
          element.checked(elementKind, as: "\(name), entry \(index + 1)", diagnostics)
            ?? JSONNode(.invalid, at: element.location)
        })
      return result
    case (.map(let valueKind), .object(let members)):
      ObjectReader.reportDuplicates(in: members, diagnostics)
      var result = self
      result.value = .object(
        members.map { member in
          var member = member
          member.value =
            member.value.checked(valueKind, as: "\"\(member.key)\" in \(name)", diagnostics)
            ?? JSONNode(.invalid, at: member.value.location)
          return member
        })
      return result
    case (.either(let kinds), _):
      let similar = kinds.first { $0.isSimilar(to: self) }
      switch similar {
      case .list?, .map?: return similar.flatMap { checked($0, as: name, diagnostics) }
      case let similar? where satisfies(similar): return self
      default: reportWrong(kind, name, diagnostics)
      }
    default:
      if satisfies(kind) { return self }
      reportWrong(kind, name, diagnostics)
    }
    return nil
  }

  /// Whether it is of a kind, and so is everything in it.
  func fits(_ kind: ValueKind) -> Bool {
    switch (kind, value) {
    case (_, .invalid): false
    case (.list(let kind, _), .array(let elements)): elements.allSatisfy { $0.fits(kind) }
    case (.map(let kind), .object(let members)):
      members.allSatisfy { $0.value.fits(kind) } && members.doubles.isEmpty
    case (.either(let kinds), _): kinds.first { $0.isSimilar(to: self) }.map(fits) ?? false
    default: satisfies(kind)
    }
  }

  private func satisfies(_ kind: ValueKind) -> Bool {
    switch kind {
    case .string: stringValue != nil
    case .nonEmptyString, .text: stringValue.map { !$0.isEmpty } ?? false
    case .boolean: boolValue != nil
    case .integer(let range): integerValue.map(range.contains) ?? false
    case .number(let range): doubleValue.map(range.contains) ?? false
    case .choice(let words): stringValue.map(words.contains) ?? false
    case .yes: boolValue == true
    case .object, .map: objectValue != nil
    case .list: arrayValue != nil
    case .either(let kinds): kinds.contains(where: satisfies)
    case .any, .scalar: true
    }
  }

  private func reportWrong(_ kind: ValueKind, _ name: String, _ diagnostics: DiagnosticCollector) {
    var suggestions: [String] = []
    if case .string(let text) = value, case .choice(let words) = kind {
      suggestions = Suggestions.closest(to: text, among: words)
    }
    diagnostics.error(
      "\(name): expected \(kind.description), found \(foundDescription).", in: self,
      suggestions: suggestions)
  }
}

extension ValueKind {
  /// Whether a value is of this sort at all, so that only its details can be wrong.
  fileprivate func isSimilar(to node: JSONNode) -> Bool {
    switch (self, node.value) {
    case (.string, .string), (.nonEmptyString, .string), (.text, .string), (.choice, .string),
      (.boolean, .bool),
      (.yes, .bool), (.integer, .number), (.number, .number), (.list, .array), (.map, .object),
      (.object, .object), (.any, _):
      true
    case (.integer, .string), (.number, .string): node.numberText != nil
    case (.boolean, .string), (.yes, .string): node.boolValue != nil
    default: false
    }
  }
}
