import RequestMatching
import SourceText

extension Substitution {
  /// The keys whose entries are expectations.
  private static let lists: Set = ["expected", "sends", "expectRequests"]

  /// The entries of a list, where it is one of expectations: of one with `forEach`, one for each object.
  func entries(of member: JSONMember) -> [JSONNode]? {
    guard Self.lists.contains(member.key) else { return nil }
    return member.value.arrayValue?.flatMap { node in
      node["forEach"].map { expanded(node, $0) } ?? [apply(to: node)]
    }
  }

  private func expanded(_ node: JSONNode, _ source: JSONNode) -> [JSONNode] {
    let source = apply(to: source)
    guard let objects = session.fixtureObjects(source), checkNames(objects, source) else {
      // It has been reported.
      var open = scope
      open.isOpen = true
      var result = Substitution(scope: open, session: session).apply(to: node)
      result.set(JSONNode(source.value, at: source.location), for: "forEach")
      return [result]
    }
    return objects.map { object in
      var inner = scope
      inner.add(object)
      var result = Substitution(scope: inner, session: session).apply(to: node)
      result.set(FixtureObject.marked(source, object), for: "forEach")
      return result
    }
  }

  /// Whether no variable has the name of a member; otherwise that is reported.
  private func checkNames(_ objects: [FixtureNode], _ source: JSONNode) -> Bool {
    var isFine = true
    for name in Set(objects.flatMap(\.names)).sorted() {
      // Every case may have these, whatever the fixture is.
      guard !ScenarioTemplate.caseKeys.contains(name), let other = scope.definitions[name] else {
        continue
      }
      isFine = false
      session.reportEqualName(other, at: source.location)
    }
    return isFine
  }
}

extension FixtureObject {
  /// The text of `forEach`, with the object that it stands for.
  fileprivate static func marked(_ source: JSONNode, _ object: FixtureNode) -> JSONNode {
    var marked = source
    marked.variable = JSONVariable(
      name: object.path, value: source.value, location: object.node.location)
    return marked
  }

  /// - Parameter node: the value of `forEach`; `nil` where it stands for no object.
  init?(_ node: JSONNode?) {
    guard let node, let source = node.stringValue, let object = node.variable else { return nil }
    self.init(source: source, path: object.name, location: object.location)
  }
}

/// Something that a `forEach` found, for which there will be an expectation.
extension FixtureNode {
  /// The names of its members, or `it`.
  var names: [String] { node.objectValue?.map(\.key) ?? ["it"] }

  /// The values that variables can have, by name.
  fileprivate var values: [(name: String, location: SourceLocation, value: JSONNode)] {
    guard let members = node.objectValue else {
      return [("it", node.location, node)]
    }
    return members.filter { member in
      member.value.scalarText != nil && members.count { $0.key == member.key } == 1
    }.map { ($0.key, $0.keyLocation, $0.value) }
  }
}

extension VariableScope {
  /// Makes the members of an object variables, which needn't be used.
  fileprivate mutating func add(_ object: FixtureNode) {
    self.object = object
    for name in object.names { ambiguous[name] = definitions[name] }
    for (name, location, value) in object.values where ambiguous[name] == nil {
      define(
        Definition(
          name: name, nameLocation: location, value: value, usageKey: UsageKey(location)))
    }
    remove(ambiguous.keys)
  }
}

extension DecodingSession {
  /// Reports a variable that isn't one, inside an expectation with `forEach`.
  ///
  /// Said once for all objects: the first is shown.
  func reportUndefined(
    _ name: String, in object: FixtureNode, _ scope: VariableScope, at location: SourceLocation
  ) {
    let values = object.node.objectValue?.filter { $0.key == name }.map(\.value) ?? []
    if let variable = scope.ambiguous[name] {
      reportEqualName(variable, at: location)
    } else if let value = values.first {
      diagnostics.error(
        values.count > 1
          ? "\"forEach\" finds an object that has \"\(name)\" twice. Keep one of them in the fixture."
          : "\"forEach\" finds an object whose \"\(name)\" can't be a variable: expected a string, a"
            + " number, true or false. Name another member, or leave such objects out with a filter.",
        at: location,
        notes: [.init("Here it is \(value.foundDescription).", at: value.location)])
    } else if !scope.isOpen {
      let known = Set(object.values.map(\.name)).union(scope.definitions.keys)
      let isObject = object.node.objectValue != nil
      diagnostics.error(
        "\"forEach\" finds "
          + (isObject ? "an object without a member \"\(name)\"" : "a value, which is ${it},")
          + (isObject
            ? ", and no variable is called so. Leave such objects out, as by [?@.\(name)], or name another"
              + " member." : " and no variable is called \"\(name)\"."),
        at: location,
        suggestions: Suggestions.closest(to: name, among: known).map { "${\($0)}" },
        notes: [.init("This is the first one: \(object.path)", at: object.node.location)])
    }
  }

  /// Reports a variable that is called like a member of what a `forEach` finds.
  fileprivate func reportEqualName(
    _ variable: VariableScope.Definition, at location: SourceLocation
  ) {
    diagnostics.error(
      "A variable and a member of what \"forEach\" finds are both called \"\(variable.name)\". Rename the"
        + " variable.", at: location,
      notes: [.init("The variable is here.", at: variable.nameLocation)])
  }

  /// What a `forEach` finds; `nil` where that is wrong, which is reported, or can't be known.
  func fixtureObjects(_ source: JSONNode) -> [FixtureNode]? {
    guard let text = source.stringValue else { return nil }
    guard let separator = text.firstRange(of: "#$") else {
      diagnostics.error(
        "\"\(text)\" doesn't say where the objects are. Write a fixture and a JSONPath, as"
          + " \"KEY#$.items[*]\".", in: source)
      return nil
    }
    let name = String(text[..<separator.lowerBound])
    let start = name.utf8.count + 1
    guard let path = MatcherDecoder(diagnostics: diagnostics).path(source, from: start),
      let root = fixture(name, source)
    else { return nil }
    do throws(MatchingDoubt) {
      let objects = try path.values(in: FixtureNode(node: root, path: "$"))
      return check(objects, path, source) ? objects : nil
    } catch {
      diagnostics.error("\(error)", in: source, content: start..<text.utf8.count)
      return nil
    }
  }

  private func check(_ objects: [FixtureNode], _ path: JSONPath, _ source: JSONNode) -> Bool {
    if objects.isEmpty {
      diagnostics.error(
        "\"\(path.text)\" finds nothing in this fixture, so nothing would be expected. Correct the path,"
          + " or remove the expectation.", in: source)
    }
    let other = objects.first { object in
      switch object.node.value {
      case .object, .string, .number: false
      case .null, .bool, .array, .invalid: true
      }
    }
    if let node = other?.node {
      diagnostics.error(
        "\"\(path.text)\" finds something that is neither an object nor a string nor a number. Correct"
          + " the path.", at: source.location,
        notes: [.init("Here it finds \(node.foundDescription).", at: node.location)])
    }
    return !objects.isEmpty && other == nil
  }

  /// The tree of a fixture, by its launch key or its name; `nil` where it can't be read, which is
  /// reported, or isn't known.
  private func fixture(_ name: String, _ source: JSONNode) -> JSONNode? {
    let entry = fixtureFiles[name]
    guard let file = entry == nil ? name : entry?.stringValue else { return nil }
    guard let fixtures else {
      diagnostics.error("No folder of fixtures is known. Name one with --fixtures.", in: source)
      return nil
    }
    if let problem = problem(withFixture: file) {
      // Of a launch key it has been reported.
      if entry == nil {
        diagnostics.error(
          "\"\(name)\" is neither a key of \"fixtures\" nor a file. " + problem.message, in: source,
          suggestions: Suggestions.closest(to: name, among: fixtureFiles.keys) + problem.suggestions
        )
      }
      return nil
    }
    let shown = FilePath.join(fixtures.shownPath, file)
    let path = FilePath.join(fixtures.path, file)
    switch decoder.fixtureTrees.tree(path, shownAs: shown, fixtures.files) {
    case .success(let node): return node
    case .failure(let failure):
      diagnostics.error(
        "Nothing can be found in the fixture \"\(file)\": \(failure.message)", in: source)
      return nil
    }
  }
}

extension JSONNode {
  /// The values of a key wherever it is, but for JSON that is compared as such.
  func values(ofKey key: String) -> [JSONNode] {
    switch value {
    case .array(let elements): elements.flatMap { $0.values(ofKey: key) }
    case .object(let members):
      members.flatMap { member -> [JSONNode] in
        if member.key == "equalToJson" { return [] }
        return member.key == key ? [member.value] : member.value.values(ofKey: key)
      }
    default: []
    }
  }

  /// Replaces the value of a key that is there.
  fileprivate mutating func set(_ newValue: JSONNode, for key: String) {
    guard var members = objectValue, let place = members.firstIndex(where: { $0.key == key })
    else { return }
    members[place].value = newValue
    value = .object(members)
  }
}
