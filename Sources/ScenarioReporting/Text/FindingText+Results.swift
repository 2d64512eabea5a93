import ScenarioCore

extension FindingText {
  /// What else there is to say of a result that is not passed.
  package func notes(on result: ScenarioResult) -> [String] {
    var notes: [String] = []
    if result.unjudgedExpectations > 0 {
      let count = result.unjudgedExpectations
      notes.append(
        "\(count) expectation\(count == 1 ? " was" : "s were") not judged, because the actions stopped early"
      )
    }
    if let folder = result.keptFolder { notes.append("kept: \(outlet.line(folder))") }
    if let failure = result.keepFailure {
      notes.append("not kept: \(outlet.line(failure)). Name another folder with --keep.")
    }
    return notes
  }

  /// - Parameter command: the words before the `file:line`.
  package func rerun(_ scenario: ScenarioReference, with command: String) -> String {
    "run again: \(command) \(outlet.word(scenario.place))"
  }
}
