import ScenarioCore
import ScenarioReporting
import SourceText

/// Prints a JSON Schema.
struct SchemaCommand {
  let options: CommandOptions
  let context: CommandContext

  func run() throws(CommandFailure) -> ExitCode {
    let words = options.words
    guard words.count <= 1 else { throw CommandFailure("schema takes one KIND: \(Self.kinds).") }
    let name = words.first ?? SchemaSubject.scenario.rawValue
    guard let subject = SchemaSubject(rawValue: name) else { throw unknown(name) }
    guard let text = try? SchemaGenerator(subject).text() else {
      throw CommandFailure("The schema can't be written as JSON.")
    }
    return context.answer(text)
  }

  private func unknown(_ name: String) -> CommandFailure {
    let close = Suggestions.closest(to: name, among: SchemaSubject.allCases.map(\.rawValue))
    let hint = close.first.map { " Did you mean \($0)?" } ?? ""
    return CommandFailure("There is no schema of \"\(name)\", only of \(Self.kinds).\(hint)")
  }

  private static var kinds: String {
    SchemaSubject.allCases.map(\.rawValue).joined(separator: ", ")
  }
}
