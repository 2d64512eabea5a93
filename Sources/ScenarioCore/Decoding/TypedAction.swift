import HarnessProtocol
import JSON
import SourceText

/// An action that a person typed as a line, `VERB VALUE [KEY VALUE]…`, with the keys of a scenario.
///
/// The line becomes the object that a scenario file would have, each part with its place in the line,
/// and is decoded as such: so messages and suggestions are the same. Words are separated by blanks;
/// quotes, brackets and braces begin a JSON value. A text goes on up to the next key of the verb, and a
/// whole number in place of an element is the number of one.
package struct TypedAction: Sendable {
  /// As it stands in a scenario.
  package var json: JSONValue
  /// More than one for a `repeat` or a `use`.
  package var steps: [Step]
}

extension ScenarioDecoder {
  /// Decodes a line.
  ///
  /// - Parameters:
  ///   - path: the scenario file that it is for: steps files are named from there.
  ///   - firstID: of its first step.
  ///   - element: what has a number.
  /// - Returns: `nil` where something is wrong, which is told by places in the line.
  package func action(
    typed line: SourceFile, for path: String, firstID: Int, element: @escaping (Int) -> ElementPath?
  ) -> (action: TypedAction?, diagnostics: [Diagnostic]) {
    let session = DecodingSession(self)
    var reader = TypedLineReader(line: line, diagnostics: session.diagnostics, element: element)
    guard let node = reader.action(), !session.diagnostics.hasErrors else {
      return (nil, session.diagnostics.diagnostics)
    }
    let scope = VariableScope(owner: .scenario)
    let replaced = Substitution(scope: scope, session: session).apply(to: node)
    let actions = ActionDecoder(session: session, path: [path]).actions([replaced])
    var steps = StepUnrolling(actions, session).steps
    for index in steps.indices { steps[index].id = firstID + index }
    let isFine = !session.diagnostics.hasErrors && !steps.isEmpty
    let action = isFine ? TypedAction(json: JSONValue(node), steps: steps) : nil
    return (
      action,
      DiagnosticOrder.sorted(session.diagnostics.diagnostics, mainPath: line.path)
    )
  }
}

/// Makes the object of an action from a line.
private struct TypedLineReader {
  /// A part of the line: a word, or a JSON value.
  private struct Part {
    var range: Range<Int>
    /// `nil` for a plain word.
    var json: JSONNode?
  }

  let line: SourceFile
  let diagnostics: DiagnosticCollector
  let element: (Int) -> ElementPath?
  var at = 0

  /// - Returns: `nil` where the line can't be read, which is reported, or is empty.
  mutating func action() -> JSONNode? {
    guard let verb = next() else { return nil }
    // A scenario's own text.
    if let json = verb.json, json.objectValue != nil { return json }
    let location = location(verb.range)
    if verb.json == nil, Int(text(verb)) != nil {
      at = verb.range.lowerBound
      return action("tap", location)
    }
    return action(verb.json?.stringValue ?? text(verb), location)
  }

  private mutating func action(_ verb: String, _ location: SourceLocation) -> JSONNode? {
    guard let shape = ActionShapes.byVerb[verb] else { return unknown(verb, location) }
    let kind = shape.object.key(verb)?.kind ?? .any
    var members: [JSONMember] = []
    if case .yes = kind {
      members = [
        JSONMember(key: verb, keyLocation: location, value: JSONNode(.bool(true), at: location))
      ]
    } else {
      guard let value = value(kind, of: shape) else {
        diagnostics.error(
          "\"\(verb)\" needs a value: expected \(kind.description).", at: location)
        return nil
      }
      members = [JSONMember(key: verb, keyLocation: location, value: value)]
    }
    while let key = next() {
      guard let member = member(key, of: shape) else { return nil }
      members.append(member)
    }
    return JSONNode(.object(members), at: whole)
  }

  private mutating func member(_ part: Part, of shape: ActionShape) -> JSONMember? {
    let name = part.json?.stringValue ?? text(part)
    let kind = shape.object.key(name)?.kind
    guard let value = value(kind ?? .any, of: shape) else {
      let known = shape.object.keys.map(\.name).filter { $0 != shape.name }
      let keys = ValueKind.alternatives(shape.furtherKeys.map { "\"\($0.name)\"" })
      diagnostics.error(
        kind.map { "\"\(name)\" needs a value: expected \($0.description)." }
          ?? "\"\(name)\" isn't expected here. "
          + (keys.isEmpty
            ? "Put a text with spaces in quotes."
            : "Write \(keys) before it, or put a text with spaces in quotes."),
        at: location(part.range),
        suggestions: kind == nil ? Suggestions.closest(to: name, among: known) : [])
      return nil
    }
    return JSONMember(key: name, keyLocation: location(part.range), value: value)
  }

  /// The decoder says what is wrong with it.
  private mutating func unknown(_ verb: String, _ location: SourceLocation) -> JSONNode {
    let value = JSONNode(.bool(true), at: location)
    let member = JSONMember(key: verb, keyLocation: location, value: value)
    return JSONNode(.object([member]), at: whole)
  }

  // MARK: - Values

  /// - Returns: `nil` where the line is at its end.
  private mutating func value(_ kind: ValueKind, of shape: ActionShape) -> JSONNode? {
    guard var part = next() else { return nil }
    if let json = part.json { return json }
    if kind.isFreeText {
      let keys = Set(shape.furtherKeys.map(\.name))
      while let following = peek(), following.json == nil, !keys.contains(text(following)) {
        part.range = part.range.lowerBound..<following.range.upperBound
        at = following.range.upperBound
      }
    }
    let word = text(part)
    switch kind {
    case .number, .integer:
      return JSONNode(Double(word) == nil ? .string(word) : .number(word), at: location(part.range))
    case .boolean, .yes:
      let value = Bool(word).map(JSONNode.Value.bool)
      return JSONNode(value ?? .string(word), at: location(part.range))
    case .text(let form) where form.description == TextForms.elementPath.description:
      return numbered(word, location(part.range))
    case .any where Double(word) != nil:
      return JSONNode(.number(word), at: location(part.range))
    default: return JSONNode(.string(word), at: location(part.range))
    }
  }

  private func numbered(_ word: String, _ location: SourceLocation) -> JSONNode {
    guard let number = Int(word) else { return JSONNode(.string(word), at: location) }
    guard let path = element(number) else {
      diagnostics.error(
        "No element has the number \(number). \"screen\" shows all; put an identifier that is a number"
          + " in quotes.", at: location)
      return JSONNode(.invalid, at: location)
    }
    return JSONNode(.string(path.description), at: location)
  }

  // MARK: - Parts

  private func text(_ part: Part) -> String { line.text(in: part.range) }

  private func location(_ range: Range<Int>) -> SourceLocation {
    SourceLocation(file: line, range: range)
  }

  private var whole: SourceLocation { location(0..<line.bytes.count) }

  private func peek() -> Part? {
    var copy = self
    return copy.next()
  }

  private mutating func next() -> Part? {
    let bytes = line.bytes
    while at < bytes.count, Self.isBlank(bytes[at]) { at += 1 }
    guard at < bytes.count else { return nil }
    let start = at
    if "\"{[".utf8.contains(bytes[at]) {
      let (node, end, problems) = JSONParser.parse(line, valueAt: at)
      diagnostics.report(problems)
      at = end
      return Part(range: start..<at, json: node ?? JSONNode(.invalid, at: location(start..<at)))
    }
    while at < bytes.count, !Self.isBlank(bytes[at]) { at += 1 }
    return Part(range: start..<at)
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
}

extension ValueKind {
  /// Whether it is a text in which blanks are usual.
  fileprivate var isFreeText: Bool {
    switch self {
    case .string, .nonEmptyString: true
    default: false
    }
  }
}
