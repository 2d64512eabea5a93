import RequestMatching
import SourceText

/// Reads the tree of one scenario file.
struct ScenarioFileDecoder {
  let session: DecodingSession
  let path: String

  private var diagnostics: DiagnosticCollector { session.diagnostics }

  static func defaultName(_ path: String) -> String {
    let name = FilePath.lastComponent(path)
    return name.hasSuffix(".json") ? String(name.dropLast(5)) : name
  }

  func scenarios(_ node: JSONNode) -> [Scenario] {
    let variables = variables(node)
    guard let casesNode = node["cases"], !casesNode.isInvalid,
      casesNode.arrayValue != nil || casesNode.stringValue != nil
    else {
      return [scenario(node, variables, nil)].compactMap(\.self)
    }
    let cases = CaseDecoder(session: session, path: path).cases(casesNode) ?? []
    guard !cases.isEmpty else {
      session.sawEverything = false
      var open = variables
      open.isOpen = true
      _ = scenario(node, open, nil)
      return []
    }
    reportShadowed(variables, cases)
    // The cases themselves are checked with the first of them, and not again with each.
    let rest = withoutCases(node)
    return cases.enumerated().compactMap { scenario($0 == 0 ? node : rest, variables, $1) }
  }

  private func withoutCases(_ node: JSONNode) -> JSONNode {
    var rest = node
    rest.value = .object((node.objectValue ?? []).filter { $0.key != "cases" })
    return rest
  }

  private func variables(_ node: JSONNode) -> VariableScope {
    var scope = VariableScope(owner: .scenario)
    let members = node["variables"]?.objectValue ?? []
    ObjectReader.reportDoubles(in: members, diagnostics)
    for member in members {
      define(
        .init(
          name: member.key, nameLocation: member.keyLocation, value: member.value,
          usageKey: UsageKey(member.keyLocation)), in: &scope)
    }
    return scope
  }

  /// Defines a variable whose value may name those defined before it.
  private func define(_ definition: VariableScope.Definition, in scope: inout VariableScope) {
    guard session.checkVariable(definition) else { return }
    var definition = definition
    definition.value = Substitution(scope: scope, session: session).apply(to: definition.value)
    scope.define(definition)
    session.markDefined(definition)
  }

  /// A case's own value hides that of `variables`: an error where no case leaves it to be seen.
  private func reportShadowed(_ variables: VariableScope, _ cases: [ScenarioCase]) {
    for outer in variables.definitions.values {
      let inner = cases.compactMap { $0.definitions.first { $0.name == outer.name } }
      guard let first = inner.first else { continue }
      session.markUsed(outer.usageKey)
      let isHidden = inner.count == cases.count
      diagnostics.report(
        Diagnostic(
          isHidden ? .error : .warning,
          "\"\(outer.name)\" hides the variable of the same name"
            + (isHidden ? " in every case. Remove one of them." : " in this case."),
          at: first.nameLocation,
          notes: [.init("The hidden value is here.", at: outer.value.location)]))
    }
  }

  private func scenario(
    _ node: JSONNode, _ variables: VariableScope, _ scenarioCase: ScenarioCase?
  ) -> Scenario? {
    var scope = variables
    for definition in scenarioCase?.definitions ?? [] {
      if definition.name == "name" { session.markUsed(definition.usageKey) }
      define(definition, in: &scope)
    }
    let replaced = replaced(node, scope)
    guard let reader = ObjectReader(replaced, ScenarioShapes.scenario, diagnostics) else {
      return nil
    }
    let volatileParameters = LaunchDecoder.volatileParameters(reader, diagnostics)
    let names = volatileParameters + session.configuration.volatileParameters
    session.volatile = VolatileParameters(names)
    let actions = ActionDecoder(session: session, path: [path]).actions(
      reader.list("actions") ?? [])
    let unrolled = StepUnrolling(actions, diagnostics)
    var scenario = Scenario(
      reference: reference(reader, scenarioCase), steps: unrolled.steps, groups: unrolled.groups,
      expected: session.expectations.expectations(reader.list("expected")) ?? [],
      volatileParameters: names,
      location: scenarioCase?.location ?? node.location)
    LaunchDecoder(session: session).decode(reader, into: &scenario)
    if scenario.skipReason == nil { checkThatItAsks(reader) }
    return scenario
  }

  /// A scenario that does nothing and asks for nothing would pass whatever the app is.
  private func checkThatItAsks(_ reader: ObjectReader) {
    guard reader.list("actions")?.isEmpty == true, reader.list("expected")?.isEmpty == true else {
      return
    }
    diagnostics.error(
      "The scenario has neither actions nor expectations, so it would test nothing. Write one, or"
        + " say with \"skip\" why it is empty.", at: reader.openingLocation)
  }

  /// The tree with its variables replaced, except where they are defined.
  private func replaced(_ node: JSONNode, _ scope: VariableScope) -> JSONNode {
    guard node.location.file.bytes.contains(UInt8(ascii: "$")), let members = node.objectValue
    else { return node }
    let substitution = Substitution(scope: scope, session: session)
    var replaced = node
    replaced.value = .object(
      members.map { member in
        guard !["$schema", "variables", "cases"].contains(member.key) else { return member }
        var member = member
        member.value = substitution.apply(to: member.value)
        return member
      })
    return replaced
  }

  private func reference(_ reader: ObjectReader, _ scenarioCase: ScenarioCase?) -> ScenarioReference
  {
    ScenarioReference(
      path: path, position: (scenarioCase?.location ?? reader.node.location).position,
      scenarioName: reader.string("name") ?? Self.defaultName(path), caseName: scenarioCase?.name,
      caseFile: scenarioCase?.csvFile, tags: reader.strings("tags") ?? [])
  }
}
