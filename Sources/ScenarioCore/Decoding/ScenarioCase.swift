import SourceText

/// One row of a scenario's `cases`.
struct ScenarioCase {
  /// The case's name, or its number from 1.
  var name: String
  var nameLocation: SourceLocation
  /// The object, or the record of the CSV file.
  var location: SourceLocation
  var csvFile: String?
  var definitions: [VariableScope.Definition]
}
