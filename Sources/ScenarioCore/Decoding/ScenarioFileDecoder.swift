import RequestMatching
import SourceText

/// Reads the tree of one scenario file.
struct ScenarioFileDecoder {
  let session: DecodingSession
  let path: String

  private var diagnostics: DiagnosticCollector { session.diagnostics }

  static func defaultName(_ path: String) -> String {
    let name = FilePath.lastComponent(path)
    return name.lowercased().hasSuffix(".json") ? String(name.dropLast(5)) : name
  }

  /// Decodes each scenario once, so that all that is wrong is reported.
  func scenarios(_ node: JSONNode, by decoder: ScenarioDecoder) -> ScenarioList {
    let template = ScenarioTemplate(node, path: path, variables: variables(node))
    guard let casesNode = node["cases"], !casesNode.isInvalid,
      casesNode.arrayValue != nil || casesNode.stringValue != nil
    else {
      var list = ScenarioList(template, nil, decoder)
      list.add(template.scenario(nil, session))
      return list
    }
    guard let cases = CaseDecoder(session: session, path: path).table(casesNode) else {
      checkWithoutCases(template)
      return ScenarioList(template, nil, decoder)
    }
    return scenarios(template, cases, by: decoder)
  }

  /// Whatever the variables of the cases are.
  private func checkWithoutCases(_ template: ScenarioTemplate) {
    session.sawEverything = false
    var template = template
    template.variables.isOpen = true
    _ = template.scenario(nil, session)
  }

  private func scenarios(
    _ template: ScenarioTemplate, _ cases: CaseTable, by decoder: ScenarioDecoder
  ) -> ScenarioList {
    // The cases themselves are checked with the first of them, and not again with each.
    let rest = template.withoutCases()
    var list = ScenarioList(rest, cases, decoder)
    var names: [String: SourceLocation] = [:]
    var hidden: [String: (count: Int, first: SourceLocation)] = [:]
    var count = 0
    var writtenBytes = 0
    for index in 0..<cases.count {
      guard let row = cases.row(index, session) else { continue }
      reportEqualName(row, &names)
      for definition in row.definitions
      where template.variables.definitions[definition.name] != nil {
        let known = hidden[definition.name] ?? (0, definition.nameLocation)
        hidden[definition.name] = (known.count + 1, known.first)
      }
      list.add((count == 0 ? template : rest).scenario(row, session))
      count += 1
      writtenBytes += rest.sizeBytes + session.scenarioBytes
      guard writtenBytes <= decoder.casesLimitBytes else {
        diagnostics.error(
          "Written out, the cases up to this one come to more than"
            + " \(decoder.casesLimitBytes >> 20) MiB. Split them into several files.",
          at: row.location)
        break
      }
    }
    if count == 0 { checkWithoutCases(template) }
    reportHidden(template.variables, hidden, in: count)
    list.stepsFiles = session.stepsFiles
    return list
  }

  private func variables(_ node: JSONNode) -> VariableScope {
    var scope = VariableScope(owner: .scenario)
    for member in node["variables"]?.objectValue ?? [] {
      scope.add(
        .init(
          name: member.key, nameLocation: member.keyLocation, value: member.value,
          usageKey: UsageKey(member.keyLocation)), session)
    }
    return scope
  }

  private func reportEqualName(_ row: ScenarioCase, _ names: inout [String: SourceLocation]) {
    guard let first = names[row.name] else {
      names[row.name] = row.nameLocation
      return
    }
    diagnostics.error(
      "Two cases are called \"\(row.name)\". Give each its own name.", at: row.nameLocation,
      notes: [.init("The first one is here.", at: first)])
  }

  /// A case's own value hides that of `variables`: an error where no case leaves it to be seen.
  ///
  /// - Parameter hidden: in how many cases, and where first.
  private func reportHidden(
    _ variables: VariableScope, _ hidden: [String: (count: Int, first: SourceLocation)],
    in caseCount: Int
  ) {
    for outer in variables.definitions.values {
      guard let (count, first) = hidden[outer.name] else { continue }
      session.markUsed(outer.usageKey)
      let isHidden = count == caseCount
      diagnostics.report(
        Diagnostic(
          isHidden ? .error : .warning,
          "\"\(outer.name)\" hides the variable of the same name"
            + (isHidden ? " in every case. Remove one of them." : " in this case."),
          at: first, notes: [.init("The hidden value is here.", at: outer.value.location)]))
    }
  }
}

extension VariableScope {
  /// Defines a variable whose value may name those defined before it.
  fileprivate mutating func add(_ definition: Definition, _ session: DecodingSession) {
    guard session.checkVariable(definition) else { return }
    var definition = definition
    definition.value = Substitution(scope: self, session: session).apply(to: definition.value)
    define(definition)
    session.markDefined(definition)
  }
}

/// The tree of a scenario file, from which its scenarios are decoded, one for each case.
struct ScenarioTemplate: Sendable {
  private let path: String
  private var node: JSONNode
  /// Whether a variable may be named anywhere.
  private let hasVariables: Bool
  var variables: VariableScope
  /// As it is written.
  private(set) var sizeBytes: Int

  init(_ node: JSONNode, path: String, variables: VariableScope) {
    self.node = node
    self.path = path
    self.variables = variables
    sizeBytes = node.location.range.count
    hasVariables = node.location.file.bytes.withUnsafeBufferPointer { bytes in
      bytes.contains(UInt8(ascii: "$"))
        || bytes.indices.contains {
          bytes[$0] == UInt8(ascii: "f") && bytes[$0...].starts(with: "forEach".utf8)
        }
    }
  }

  func withoutCases() -> ScenarioTemplate {
    var rest = self
    rest.node.value = .object((node.objectValue ?? []).filter { $0.key != "cases" })
    rest.sizeBytes -= node["cases"]?.location.range.count ?? 0
    return rest
  }

  /// What a case says of itself; its other keys are variables that have to be used.
  static let caseKeys: Set = ["name", "knownIssue"]

  /// - Returns: `nil` where the tree is wrong, which is reported.
  func scenario(_ scenarioCase: ScenarioCase?, _ session: DecodingSession) -> Scenario? {
    let diagnostics = session.diagnostics
    session.beginScenario()
    var scope = variables
    for definition in scenarioCase?.definitions ?? [] {
      if Self.caseKeys.contains(definition.name) { session.markUsed(definition.usageKey) }
      scope.add(definition, session)
    }
    let replaced = replaced(scope, session)
    guard let reader = ObjectReader(replaced, ScenarioShapes.scenario, diagnostics) else {
      return nil
    }
    let volatileParameters = reader.volatileParameters()
    let names = volatileParameters + session.configuration.volatileParameters
    session.volatile = VolatileParameters(names)
    let decoders = EventsDecoder(diagnostics: diagnostics).decoders(
      reader, adding: session.configuration.decoders)
    session.decoders = decoders
    let actions = ActionDecoder(session: session, path: [path]).actions(
      reader.list("actions") ?? [], ofScenario: true)
    let unrolled = StepUnrolling(actions, session)
    session.countSteps(unrolled.steps.count)
    var scenario = Scenario(
      reference: reference(reader, scenarioCase), steps: unrolled.steps, groups: unrolled.groups,
      expected: session.expectations.expectations(reader.list("expected")) ?? [],
      volatileParameters: names,
      location: scenarioCase?.location ?? node.location)
    scenario.decoders = decoders
    scenario.lint = session.configuration.lint
    scenario.trackingPlan = session.configuration.trackingPlan
    scenario.launch = unrolled.launch
    scenario.spans = unrolled.spans
    scenario.caseValues = values(of: scenarioCase)
    LaunchDecoder(session: session).decode(reader, into: &scenario)
    let isOwn = scenarioCase?.definitions.contains { $0.name == "knownIssue" } == true
    // An empty cell of a table says nothing.
    if isOwn, let reason = scope.definitions["knownIssue"]?.text,
      !reason.allSatisfy(\.isWhitespace)
    {
      scenario.knownIssue = reason
    }
    if scenario.skipReason == nil, !session.decoder.allowsNothing, asksNothing(reader) {
      // What was imported waits for its actions.
      if session.files.kind(of: path + ScenarioDecoder.draftSuffix) != nil {
        scenario.skipReason =
          "it has no actions yet: continue with scenario-run play \(path)"
      } else {
        reportNothing(reader, diagnostics)
      }
    }
    if !diagnostics.hasErrors, scenario.hasRelations {
      RelationCheck(scenario, diagnostics).report()
    }
    return scenario
  }

  private func values(of scenarioCase: ScenarioCase?) -> [String: String] {
    Dictionary(
      (scenarioCase?.definitions ?? []).compactMap { definition in
        definition.text.map { (definition.name, $0) }
      }, uniquingKeysWith: { first, _ in first })
  }

  /// Whether it does nothing and asks for nothing, and would pass whatever the app is.
  private func asksNothing(_ reader: ObjectReader) -> Bool {
    let expectsNothing = !reader.has("expected") || reader.list("expected")?.isEmpty == true
    return reader.list("actions")?.isEmpty == true && expectsNothing
  }

  private func reportNothing(_ reader: ObjectReader, _ diagnostics: DiagnosticCollector) {
    diagnostics.error(
      "The scenario has neither actions nor expectations, so it would test nothing. Write one, or"
        + " say with \"skip\" why it is empty.", at: reader.openingLocation)
  }

  /// The tree with its variables replaced, except where they are defined.
  private func replaced(_ scope: VariableScope, _ session: DecodingSession) -> JSONNode {
    let substitution = Substitution(scope: scope, session: session)
    let fixtures = node["fixtures"].flatMap { substitution.apply(to: $0).objectValue } ?? []
    session.fixtureFiles = Dictionary(fixtures.map { ($0.key, $0.value) }) { first, _ in first }
    guard hasVariables, let members = node.objectValue else { return node }
    var replaced = node
    replaced.value = .object(
      members.map { member in
        guard !["$schema", "variables", "cases"].contains(member.key) else { return member }
        return substitution.apply(to: member)
      })
    return replaced
  }

  private func reference(_ reader: ObjectReader, _ scenarioCase: ScenarioCase?) -> ScenarioReference
  {
    ScenarioReference(
      path: path, position: (scenarioCase?.location ?? reader.node.location).position,
      scenarioName: reader.string("name") ?? ScenarioFileDecoder.defaultName(path),
      caseName: scenarioCase?.name,
      caseFile: scenarioCase?.csvFile, tags: reader.strings("tags") ?? [])
  }
}
