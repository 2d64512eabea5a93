import SourceText

/// Turns scenario files into scenarios, telling everything that is wrong in one go.
package struct ScenarioDecoder: Sendable {
  /// What the path of a scenario's draft ends with, after that of the scenario.
  package static let draftSuffix = ".pending"

  package var files: any FileAccess
  /// Where fixtures are looked up; where absent, their existence is not checked.
  package var fixturesDirectory: String?
  /// The same as messages show it; as it is where absent.
  package var shownFixturesDirectory: String?
  /// What holds for scenarios that say nothing of their own.
  package var configuration: Configuration

  /// Whether a scenario may be without actions and expectations, as one is that is about to be written.
  package var allowsNothing = false

  var actionLimit = FileLimits.actions
  /// How long all cases of a file may be together, written out.
  var casesLimitBytes = FileLimits.casesBytes

  let stubChecks = StubFileChecks()
  let fixtureTrees = FixtureTrees()

  package init(
    files: any FileAccess, fixturesDirectory: String? = nil,
    configuration: Configuration = Configuration()
  ) {
    self.files = files
    self.fixturesDirectory = fixturesDirectory
    self.configuration = configuration
  }

  /// What a scenario file says.
  package struct Output: Sendable {
    /// One for each case; empty where the file has an error.
    package var scenarios: ScenarioList
    /// The main file's first, in the order of their places.
    package var diagnostics: [Diagnostic]
    /// Who the file as a whole is: for the result of a file with an error.
    package var reference: ScenarioReference
    /// The names under the fixtures folder that the file uses, rightly or not.
    package var usedFixtures: Set<String>

    package var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }
  }

  package func decode(_ file: SourceFile) -> Output {
    let session = DecodingSession(self)
    let (node, problems) = JSONParser.parse(file)
    session.diagnostics.report(problems)
    session.sawEverything = problems.isEmpty
    let fileDecoder = ScenarioFileDecoder(session: session, path: file.path)
    let scenarios = node.map { fileDecoder.scenarios($0, by: self) }
    session.reportUnusedVariables()
    let diagnostics = DiagnosticOrder.sorted(session.diagnostics.diagnostics, mainPath: file.path)
    let hasErrors = session.diagnostics.hasErrors
    return Output(
      scenarios: hasErrors ? ScenarioList() : scenarios ?? ScenarioList(),
      diagnostics: diagnostics, reference: reference(file, node),
      usedFixtures: session.usedFixtures)
  }

  private func reference(_ file: SourceFile, _ node: JSONNode?) -> ScenarioReference {
    ScenarioReference(
      path: file.path, position: node?.location.position ?? SourcePosition(line: 1, column: 1),
      scenarioName: node?["name"]?.stringValue ?? ScenarioFileDecoder.defaultName(file.path),
      tags: node?["tags"]?.arrayValue?.compactMap(\.stringValue) ?? [])
  }
}
