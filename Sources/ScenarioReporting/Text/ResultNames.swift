import Foundation
import ScenarioCore

/// Names results so that each name is unique in the run: a second `a` becomes `a (2)`.
///
/// In the whole run and not in a file: some readers of reports drop the file.
package final class ResultNames {
  /// Hashes, for a run can have very many names; two names of the same hash only get a number that
  /// they need not have.
  private var taken: Set<Int> = []
  /// The last number that a name got, where it was there more than once.
  private var numbers: [String: Int] = [:]

  package init() {}

  /// To be asked once for each result, in the order of the report.
  ///
  /// - Parameter outlet: the run's own, so that a name is the same in each report.
  func next(for result: ScenarioResult, _ outlet: Outlet) -> String {
    let repetition = result.repetition.map { " #\($0)" } ?? ""
    return unique(outlet.masked(result.scenario.name) + repetition)
  }

  /// The name that may have got the number at its end; itself where there is none.
  static func withoutNumber(_ name: String) -> String {
    guard name.hasSuffix(")"), let start = name.range(of: " (", options: .backwards),
      let number = Int(name[start.upperBound...].dropLast()), number > 1,
      name.hasSuffix(" (\(number))")
    else { return name }
    return String(name[..<start.lowerBound])
  }

  package func unique(_ name: String) -> String {
    if taken.insert(name.hashValue).inserted { return name }
    while true {
      let number = numbers[name, default: 1] + 1
      numbers[name] = number
      let candidate = "\(name) (\(number))"
      if taken.insert(candidate.hashValue).inserted { return candidate }
    }
  }
}
