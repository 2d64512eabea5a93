/// Why a suite has no cases.
public struct ScenarioSuiteError: Error, CustomStringConvertible {
  /// What is wrong, where, and what to do.
  public let description: String

  init(_ description: String) {
    self.description = description
  }
}
