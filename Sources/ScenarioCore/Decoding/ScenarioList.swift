import SourceText

/// The scenarios of a file without errors, in its order.
///
/// The first ones are kept decoded; the others are decoded when they are asked for, since a table of
/// cases may have very many.
package struct ScenarioList: RandomAccessCollection, Sendable {
  /// How many are kept decoded.
  package static let keptLimit = 16

  /// Who a scenario is, and where it stands.
  package struct Place: Sendable {
    package var reference: ScenarioReference
    /// The scenario's object, or its case.
    package var location: SourceLocation

    /// Whether `file:line` means this scenario: one that is a case is meant by its own lines alone, any
    /// other one by each line of its file.
    package func isMeant(byLine line: Int) -> Bool {
      if reference.caseName == nil { return line <= lineCount }
      guard location.path == reference.path else { return false }
      let last = Swift.max(location.range.lowerBound, location.range.upperBound - 1)
      return (location.position.line...location.file.line(at: last)).contains(line)
    }

    /// Of its file; what follows the last line break is a line as well, as editors show it.
    package var lineCount: Int { location.file.line(at: location.file.bytes.count) }
  }

  /// One for each scenario; dropped from what is kept for long.
  package var places: [Place] = []
  /// What the scenarios of the file use, as it was when the file was read.
  var stepsFiles: [String: JSONNode?] = [:]
  private let template: ScenarioTemplate?
  private let cases: CaseTable?
  private let decoder: ScenarioDecoder?
  private var kept: [Scenario] = []

  /// Nothing.
  init() { (template, cases, decoder) = (nil, nil, nil) }

  init(_ template: ScenarioTemplate, _ cases: CaseTable?, _ decoder: ScenarioDecoder) {
    self.template = template
    self.cases = cases
    self.decoder = decoder
  }

  mutating func add(_ scenario: Scenario?) {
    guard var reference = scenario?.reference, let scenario else { return }
    // Nearly all scenarios of a file have the same: one storage is enough for them.
    if let last = places.last?.reference {
      if last.tags == reference.tags { reference.tags = last.tags }
      if last.scenarioName == reference.scenarioName { reference.scenarioName = last.scenarioName }
    }
    places.append(Place(reference: reference, location: scenario.location))
    if kept.count < Self.keptLimit { kept.append(scenario) }
  }

  package var startIndex: Int { 0 }
  package var endIndex: Int { cases?.count ?? kept.count }

  package subscript(number: Int) -> Scenario {
    guard let scenario = decoded(number).scenario else {
      preconditionFailure("A file that was decoded without an error has all of its scenarios.")
    }
    return scenario
  }

  /// A scenario as it is now, with what has become wrong with the files it names.
  package func decoded(_ number: Int) -> (scenario: Scenario?, diagnostics: [Diagnostic]) {
    if kept.indices.contains(number) { return (kept[number], []) }
    guard let template, let cases, let decoder else { return (nil, []) }
    let session = DecodingSession(decoder, stepsFiles: stepsFiles)
    let scenario = cases.row(number, session).flatMap { template.scenario($0, session) }
    return (scenario, session.diagnostics.diagnostics)
  }
}
