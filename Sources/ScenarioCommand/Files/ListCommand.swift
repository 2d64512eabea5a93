import Foundation
import HarnessWire
import ScenarioCore
import ScenarioReporting
import ScenarioRunner

/// Lists what would run.
struct ListCommand {
  let project: Project

  func run() throws(CommandFailure) -> ExitCode {
    let plan = try project.plan()
    project.print(plan.diagnostics)
    tellShard(plan)
    let references = plan.entries.map(\.reference)
    let text = project.options.isJSON ? json(references) : lines(references)
    return project.context.answer(text, code(plan))
  }

  private func code(_ plan: Plan) -> ExitCode {
    if plan.hasInvalidFiles { return .invalidFile }
    let isShard = (plan.whole?.scenarioCount ?? 0) > 0
    return plan.entries.isEmpty && !isShard ? .nothingSelected : .passed
  }

  private func tellShard(_ plan: Plan) {
    guard let whole = plan.whole, let choice = try? project.shardChoice(), choice.shard.total > 1
    else { return }
    let line = ShardText.line(choice.shard, of: whole, source: choice.source)
    project.context.complain(line)
  }

  private func lines(_ references: [ScenarioReference]) -> String {
    let outlet = project.context.outlet
    return references.map { reference in
      let tags = reference.tags.map { " #" + outlet.line($0) }.joined()
      return "\(outlet.line(reference.selector))  \(outlet.line(reference.name))\(tags)\n"
    }.joined()
  }

  private func json(_ references: [ScenarioReference]) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
    let listed = JSONValue.array(references.map(object))
    guard let bytes = try? encoder.encode(listed) else { return "[]\n" }
    return project.context.outlet.json(String(decoding: bytes, as: UTF8.self)) + "\n"
  }

  private func object(_ reference: ScenarioReference) -> JSONValue {
    func text(_ text: String) -> JSONValue { .string(project.context.outlet.masked(text)) }
    var members: [String: JSONValue] = [
      "path": text(reference.path), "line": .integer(reference.position.line),
      "name": text(reference.name), "selector": text(reference.selector),
      "tags": .array(reference.tags.map(text)),
    ]
    members["case"] = reference.caseName.map(text)
    return .object(members)
  }
}
