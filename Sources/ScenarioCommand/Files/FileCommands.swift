import Foundation
import HarnessProtocol
import JSON
import ScenarioCore
import ScenarioReporting
import ScenarioRunner
import SourceText

/// Lists what would run.
struct ListCommand {
  let project: CommandProject

  func run() throws(CommandFailure) -> ExitCode {
    let plan = try project.plan()
    project.print(plan.diagnostics)
    tellShard(plan)
    return project.context.answer(
      text(plan),
      ExitCode(
        gravestOf: plan.hasInvalidFiles ? .invalidFile : nil,
        plan.entries.isEmpty && !plan.isShard ? .nothingSelected : nil))
  }

  private func text(_ plan: Plan) -> String {
    if project.options.wantsIdentifiers { return identifiers(plan) }
    let references = plan.entries.map(\.reference)
    return project.options.isJSON ? json(references) : lines(references)
  }

  /// Of the elements that the scenarios name, each once, a line each.
  private func identifiers(_ plan: Plan) -> String {
    var identifiers: Set<String> = []
    for entry in plan.entries {
      guard case .scenario(let scenario) = plan.content(of: entry) else { continue }
      for case .app(let action) in scenario.steps.map(\.action) {
        identifiers.formUnion(action.element?.segments.map(\.identifier) ?? [])
      }
    }
    return identifiers.sorted().map { project.context.outlet.line($0) + "\n" }.joined()
  }

  private func tellShard(_ plan: Plan) {
    guard let whole = plan.whole, let choice = try? project.shardChoice(), choice.shard.total > 1
    else { return }
    project.context.complain(ShardText.line(choice.shard, of: whole, source: choice.source))
  }

  private func lines(_ references: [ScenarioReference]) -> String {
    let outlet = project.context.outlet
    return references.map { reference in
      let tags = reference.tags.map { " #" + outlet.line($0) }.joined()
      return "\(outlet.line(reference.selector))  \(outlet.line(reference.name))\(tags)\n"
    }.joined()
  }

  private func json(_ references: [ScenarioReference]) -> String {
    JSONValue.array(
      references.map { reference in
        [
          "path": .string(reference.path), "line": .integer(reference.position.line),
          "name": .string(reference.name), "case": reference.caseName.map(JSONValue.string),
          "selector": .string(reference.selector), "tags": .strings(reference.tags),
        ]
      }
    ).text(through: project.context.outlet)
  }
}

/// Checks files without launching anything.
struct ValidateCommand {
  let project: CommandProject

  func run() throws(CommandFailure) -> ExitCode {
    let plan = try project.plan()
    let diagnostics = plan.diagnostics + malformedFixtures(plan) + unusedFixtures(plan)
    project.print(diagnostics)
    let drafted = plan.draftedPaths
    let pending = project.tellDrafts(of: drafted)
    if plan.hasInvalidFiles { return .invalidFile }
    if let pending { return pending }
    let isDoubtful = !diagnostics.isEmpty || !drafted.isEmpty
    if project.options.isStrict, isDoubtful { return .notPassed }
    guard plan.scenarioCount > 0 else { return .nothingSelected }
    return project.context.answer("\(Wording.counted(plan.scenarioCount, "scenario")) valid\n")
  }

  /// Fixtures that are data for the app's own fake objects; stub files are checked with the plan.
  private func malformedFixtures(_ plan: Plan) -> [Diagnostic] {
    let reported = Set(plan.diagnostics.map(\.path))
    return FixtureAudit(project.fixtures, used: plan.usedFixtures).malformedFiles().filter {
      !reported.contains($0.path)
    }
  }

  /// Only where whole folders were named: a few files need not use all fixtures.
  private func unusedFixtures(_ plan: Plan) -> [Diagnostic] {
    let paths = project.options.words.map { ScenarioPath($0, among: project.files).path }
    guard paths.allSatisfy({ project.files.kind(of: $0) == .folder }), !plan.hasInvalidFiles,
      project.files.kind(of: project.fixtures.path) == .folder
    else { return [] }
    return FixtureAudit(project.fixtures, used: plan.usedFixtures)
      .unusedFiles(but: project.planFiles)
  }
}

/// Explains scenarios in plain sentences.
struct ExplainCommand {
  let project: CommandProject

  func run() throws(CommandFailure) -> ExitCode {
    let plan = try project.growingPlan()
    let texts = plan.scenarios.map { scenario -> String in
      var credentials = Credentials()
      credentials.add(scenario)
      let outlet = project.context.outlet.hiding(credentials.values)
      return ScenarioExplanation.lines(of: scenario).map { outlet.line($0) + "\n" }.joined()
    }
    project.print(plan.current.diagnostics)
    return project.context.answer(
      texts.joined(separator: "\n"),
      ExitCode(
        gravestOf: plan.current.hasInvalidFiles ? .invalidFile : nil,
        texts.isEmpty ? .nothingSelected : nil))
  }
}

/// Prints a JSON Schema.
struct SchemaCommand {
  let options: CommandOptions
  let context: CommandContext

  func run() throws(CommandFailure) -> ExitCode {
    let words = options.words
    guard words.count <= 1 else { throw CommandFailure("schema takes one KIND: \(Self.kinds).") }
    let name = words.first ?? SchemaSubject.scenario.rawValue
    guard let subject = SchemaSubject(rawValue: name) else { throw unknown(name) }
    return context.answer(SchemaGenerator(subject).text())
  }

  private func unknown(_ name: String) -> CommandFailure {
    let close = Suggestions.closest(to: name, among: SchemaSubject.allCases.map(\.rawValue))
    let hint = close.isEmpty ? "" : " " + Wording.didYouMean(close).capitalizedFirst
    return CommandFailure("There is no schema for \"\(name)\", only for \(Self.kinds).\(hint)")
  }

  private static var kinds: String {
    SchemaSubject.allCases.map(\.rawValue).joined(separator: ", ")
  }
}
