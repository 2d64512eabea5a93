import SourceText

/// Who a scenario is: enough to name it, to find it and to run it again.
package struct ScenarioReference: Sendable, Hashable {
  /// The file, as the user's PATH led to it.
  package var path: String
  /// The CSV file that the case is a row of; `position` is then a place in it.
  package var caseFile: String?
  /// The line of the scenario's object or of its case, for `file:line`.
  package var position: SourcePosition
  /// The scenario's name, without the case.
  package var scenarioName: String
  /// The case's name, or its number from 1 where it has none.
  package var caseName: String?
  package var tags: [String]

  package init(
    path: String, position: SourcePosition = SourcePosition(line: 1, column: 1),
    scenarioName: String, caseName: String? = nil, caseFile: String? = nil, tags: [String] = []
  ) {
    self.path = path
    self.position = position
    self.scenarioName = scenarioName
    self.caseName = caseName
    self.caseFile = caseFile
    self.tags = tags
  }

  /// `name`, or `name [case]`.
  package var name: String {
    caseName.map { "\(scenarioName) [\($0)]" } ?? scenarioName
  }

  /// What runs exactly this again: the file, or `file:line` of a case.
  package var selector: String {
    caseName == nil ? path : "\(caseFile ?? path):\(position.line)"
  }

  /// Where it stands, as `file:line`: this too runs exactly it again.
  package var place: String { "\(caseFile ?? path):\(position.line)" }
}
