import ScenarioCore

/// Names results so that each name is unique in the run: a second `a` becomes `a (2)`.
///
/// In the whole run and not in a file: some readers of reports drop the file.
final class ResultNames {
  private var taken: Set<String> = []

  /// To be asked once for each result, in the order of the report.
  func next(for result: ScenarioResult) -> String {
    let repetition = result.repetition.map { " #\($0)" } ?? ""
    return unique(result.scenario.name + repetition)
  }

  func unique(_ name: String) -> String {
    var candidate = name
    var number = 2
    while !taken.insert(candidate).inserted {
      candidate = "\(name) (\(number))"
      number += 1
    }
    return candidate
  }
}
