import HarnessProtocol
import JSON
import SourceText

/// Replaces `${name}` in the strings of a tree; every place in it stays what it was.
struct Substitution {
  let scope: VariableScope
  let session: DecodingSession

  func apply(to node: JSONNode) -> JSONNode {
    var result = node
    switch node.value {
    case .string(let text):
      guard text.utf8.contains(UInt8(ascii: "$")) else { return node }
      if let variable = wholeVariable(in: text, node) { return variable }
      result.value = replaced(text, node).map { .string($0) } ?? .invalid
    case .array(let elements):
      result.value = .array(elements.map(apply))
    case .object(let members):
      result.value = .object(members.map(apply))
    default: break
    }
    return result
  }

  func apply(to member: JSONMember) -> JSONMember {
    var result = member
    if member.key.utf8.contains(UInt8(ascii: "$")), member.key != "$schema" {
      let key = JSONNode(.string(member.key), at: member.keyLocation)
      result.key = replaced(member.key, key) ?? member.key
    }
    if let entries = entries(of: member) {
      result.value.value = .array(entries)
    } else {
      result.value = apply(to: member.value)
    }
    return result
  }

  /// With what a placeholder of JsonUnit begins, which is never a variable.
  private static let placeholder = "${json-unit."

  /// The node that stands for a string which is nothing but one variable.
  private func wholeVariable(in text: String, _ node: JSONNode) -> JSONNode? {
    guard text.hasPrefix("${"), text.hasSuffix("}") else { return nil }
    let name = text.dropFirst(2).dropLast()
    guard Self.isName(name), !text.hasPrefix(Self.placeholder) else { return nil }
    guard let (definition, value) = lookUp(String(name), node, 0..<text.utf8.count) else {
      return JSONNode(.invalid, at: node.location)
    }
    var result = JSONNode(.string(value), at: node.location)
    result.variable = JSONVariable(
      name: definition.name, value: definition.value.variable?.value ?? definition.value.value,
      location: definition.value.variable?.location ?? definition.value.location)
    return result
  }

  /// The text with its variables replaced; `nil` where one can't be, which is reported.
  private func replaced(_ text: String, _ node: JSONNode) -> String? {
    var result = ""
    var rest = text[...]
    var isComplete = true
    while let dollar = rest.firstIndex(of: "$") {
      result += rest[..<dollar]
      rest = rest[dollar...]
      if rest.hasPrefix(Self.placeholder) {
        result += Self.placeholder
        rest = rest.dropFirst(Self.placeholder.count)
      } else if rest.hasPrefix("$${") {
        result += "${"
        rest = rest.dropFirst(3)
      } else if rest.hasPrefix("${") {
        let start = text.utf8.distance(from: text.startIndex, to: dollar)
        let value = variable(&rest, at: start, node)
        result += value ?? ""
        isComplete = isComplete && value != nil
      } else {
        result += "$"
        rest = rest.dropFirst()
      }
    }
    return isComplete ? result + rest : nil
  }

  /// Takes `${name}` from the front of a text.
  private func variable(
    _ rest: inout Substring, at start: Int, _ node: JSONNode
  ) -> String? {
    guard let end = rest.firstIndex(of: "}") else {
      session.diagnostics.error(
        "\"${\" is not closed. Write \"}\" after the variable's name, or \"$${\" for the text itself.",
        at: node.location(ofContent: start..<start + 2))
      rest = rest.dropFirst(rest.count)
      return nil
    }
    let name = rest[rest.index(rest.startIndex, offsetBy: 2)..<end]
    let range = start..<start + name.utf8.count + 3
    rest = rest[rest.index(after: end)...]
    guard Self.isName(name) else {
      session.diagnostics.error(
        "\"\(name)\" isn't a valid variable name. A name has letters, digits, \"_\", \"-\" and \".\";"
          + " the text \"${\" itself is written as \"$${\".", at: node.location(ofContent: range))
      return nil
    }
    return lookUp(String(name), node, range)?.text
  }

  private func lookUp(
    _ name: String, _ node: JSONNode, _ range: Range<Int>
  ) -> (definition: VariableScope.Definition, text: String)? {
    guard let definition = scope.definitions[name] else {
      guard !session.diagnostics.isFull else { return nil }
      let location = node.location(ofContent: range)
      if let object = scope.object {
        session.reportUndefined(name, in: object, scope, at: location)
      } else if !scope.isOpen {
        reportUndefined(name, at: location)
      }
      return nil
    }
    session.markUsed(definition.usageKey)
    // A value of another kind has been reported where it is defined.
    guard let text = definition.text,
      session.countExpansion(text.utf8.count, at: node.location)
    else { return nil }
    return (definition, text)
  }

  private func reportUndefined(_ name: String, at location: SourceLocation) {
    let close = Suggestions.closest(to: name, among: scope.definitions.keys)
    switch scope.owner {
    case .scenario:
      session.diagnostics.error(
        "The variable \"\(name)\" is not defined. Define it in \"variables\" or \"cases\".",
        at: location, suggestions: close.map { "${\($0)}" })
    case .steps(let use):
      session.diagnostics.error(
        "The variable \"\(name)\" is not handed over to these steps. Write it into \"with\".",
        at: location, suggestions: close.map { "${\($0)}" },
        notes: [.init("The steps are used here.", at: use)])
    }
  }

  static func isName(_ text: some StringProtocol) -> Bool {
    !text.isEmpty
      && text.unicodeScalars.allSatisfy {
        $0.properties.isAlphabetic || $0.properties.numericType != nil
          || "_-.".unicodeScalars.contains($0)
      }
  }
}

/// The variables that the strings of one file may name.
struct VariableScope {
  /// Whose variables they are, for the words of a message.
  enum Owner {
    case scenario
    /// The steps file that an action at this place uses.
    case steps(use: SourceLocation)
  }

  /// A variable with the place of its name.
  struct Definition {
    var name: String
    var nameLocation: SourceLocation
    var value: JSONNode
    /// Equal for all definitions of which one that is used is enough: a column of a table.
    var usageKey: UsageKey

    var text: String? { value.scalarText }
  }

  var owner: Owner
  /// Whether names that are not known may be right all the same: their definitions can't be read.
  var isOpen = false
  private(set) var definitions: [String: Definition] = [:]
  /// The object of a fixture whose members are variables, too.
  var object: FixtureNode?
  /// Those that have the name of a member, so that nobody knows which is meant.
  var ambiguous: [String: Definition] = [:]

  mutating func define(_ definition: Definition) {
    definitions[definition.name] = definition
  }

  mutating func remove(_ names: some Sequence<String>) {
    for name in names { definitions[name] = nil }
  }
}

/// Where a variable is defined, for telling which were never used.
struct UsageKey: Hashable {
  var path: String
  var offset: Int

  init(_ location: SourceLocation) {
    path = location.path
    offset = location.range.lowerBound
  }
}

extension JSONNode {
  /// A string, number or boolean as text; `nil` for everything else.
  var scalarText: String? {
    switch value {
    case .string(let text), .number(let text): text
    case .bool(let value): value ? "true" : "false"
    default: nil
    }
  }
}
