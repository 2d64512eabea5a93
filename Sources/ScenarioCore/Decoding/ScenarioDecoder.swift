import SourceText

/// Turns scenario files into scenarios, telling everything that is wrong in one go.
package struct ScenarioDecoder: Sendable {
  /// How many actions a scenario may have when `repeat` and `use` are carried out.
  package static let actionLimit = 100_000

  package var files: any FileAccess
  /// Where fixtures are looked up; where absent, their existence is not checked.
  package var fixturesDirectory: String?

  package init(files: any FileAccess, fixturesDirectory: String? = nil) {
    self.files = files
    self.fixturesDirectory = fixturesDirectory
  }

  /// What a scenario file says.
  package struct Output: Sendable {
    /// One for each case, in the file's order; empty where the file has an error.
    package var scenarios: [Scenario]
    /// The main file's first, in the order of their places.
    package var diagnostics: [Diagnostic]
    /// Who the file as a whole is: for the result of a file with an error.
    package var reference: ScenarioReference

    package var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }
  }

  package func decode(_ file: SourceFile) -> Output {
    let fixtures = fixturesDirectory.map { FixturesFolder(path: $0, files: files) }
    let session = DecodingSession(files: files, fixtures: fixtures)
    let (node, problems) = JSONParser.parse(file)
    session.diagnostics.report(problems)
    session.sawEverything = problems.isEmpty
    let fileDecoder = ScenarioFileDecoder(session: session, path: file.path)
    let scenarios = node.map(fileDecoder.scenarios) ?? []
    session.reportUnusedVariables()
    let diagnostics = DiagnosticOrder.sorted(session.diagnostics.diagnostics, mainPath: file.path)
    let hasErrors = session.diagnostics.hasErrors
    return Output(
      scenarios: hasErrors ? [] : scenarios, diagnostics: diagnostics,
      reference: reference(file, node))
  }

  private func reference(_ file: SourceFile, _ node: JSONNode?) -> ScenarioReference {
    ScenarioReference(
      path: file.path, position: node?.location.position ?? SourcePosition(line: 1, column: 1),
      scenarioName: node?["name"]?.stringValue ?? ScenarioFileDecoder.defaultName(file.path),
      tags: node?["tags"]?.arrayValue?.compactMap(\.stringValue) ?? [])
  }
}
