import Foundation
import JSON
import ScenarioCore

/// How many scenarios ended in which way; each is counted once.
struct RunCounts {
  /// Without the flaky ones.
  var passed = 0
  var flaky = 0
  var failed = 0
  var errored = 0
  var skipped = 0
  /// Failures that are known, which are none.
  var known = 0
  /// Those that have warnings, which are counted among the others.
  var warned = 0
  /// Those that neither failed nor errored nor are flaky, and have warnings.
  var passedWithWarnings = 0
  /// The run ended before they started.
  var notRun = 0
  /// The run ended before all files were read.
  var hasUnreadFiles = false
  /// Files with faults, where no result is errored by them: nothing of theirs was selected.
  var invalidFiles = 0
  /// Files with warnings, where these make the run fail and no result has failed by them.
  var doubtfulFiles = 0
  /// Nothing was selected, which in a shard is none the worse.
  var hasNothingToRun = false
  /// Whether a flaky one makes the run fail.
  var failsOnFlaky = false

  init() {}

  /// - Parameter count: the number of a key of `json`.
  init(_ count: (String) -> Int) {
    flaky = count("flaky")
    passed = max(0, count("passed") - flaky)
    (failed, errored, skipped) = (count("failed"), count("errored"), count("skipped"))
    (known, warned, notRun) = (count("known"), count("warned"), count("notRun"))
  }

  /// As the event stream has it.
  var json: JSONValue {
    [
      "passed": .integer(passed + flaky), "failed": .integer(failed),
      "errored": .integer(errored), "skipped": .integer(skipped), "flaky": .integer(flaky),
      "notRun": .integer(notRun), "known": .integer(known), "warned": .integer(warned),
    ]
  }

  init(_ result: RunResult) {
    flaky = result.results.flakyCount
    passed = result.count(.passed) - flaky
    failed = result.count(.failed)
    errored = result.count(.errored)
    skipped = result.count(.skipped)
    known = result.results.count(where: \.isKnown)
    warned = result.results.count { !$0.warnings.isEmpty }
    passedWithWarnings = result.results.warned.count { !$0.isFlaky }
    notRun = max(0, (result.header?.scenarioCount ?? 0) - result.results.count)
    hasUnreadFiles = result.header.map { $0.scenarioCount == nil } ?? false
    failsOnFlaky = result.header?.failsOnFlaky ?? false
    let faulty = result.diagnostics.filter { $0.severity == .error }.map(\.path)
    invalidFiles = errored == 0 ? Set(faulty).count : 0
    let doubtful = result.diagnostics.filter { $0.severity == .warning }.map(\.path)
    let isStrict = result.header?.isStrict ?? false
    doubtfulFiles = isStrict && result.count(.failed) == 0 ? Set(doubtful).count : 0
    hasNothingToRun = result.header?.scenarioCount == 0 && result.header?.shard == nil
  }

  /// How many results there are.
  var resultCount: Int { passed + flaky + failed + errored + skipped + known }

  /// Of two parts of a run.
  static func + (left: RunCounts, right: RunCounts) -> RunCounts {
    var sum = left
    for count in [
      \RunCounts.passed, \.flaky, \.failed, \.errored, \.skipped, \.known, \.warned, \.notRun,
      \.passedWithWarnings,
    ] {
      sum[keyPath: count] += right[keyPath: count]
    }
    sum.failsOnFlaky = left.failsOnFlaky || right.failsOnFlaky
    sum.doubtfulFiles = max(left.doubtfulFiles, right.doubtfulFiles)
    return sum
  }

  var isSuccessful: Bool {
    failed == 0 && errored == 0 && notRun == 0 && !hasUnreadFiles && invalidFiles == 0
      && !hasNothingToRun && !failsByOptions
  }

  /// Whether the run fails by what it was asked to be strict about, whatever else there is.
  var failsByOptions: Bool { failsOnFlaky && flaky > 0 || doubtfulFiles > 0 }

  /// The same of a part that only says so.
  mutating func setFailsByOptions() {
    (failsOnFlaky, doubtfulFiles) = (flaky > 0, flaky > 0 ? 0 : 1)
  }

  /// The counts that are not 0, in one line.
  func text(_ style: TextStyle = TextStyle(isColored: false)) -> String {
    let told: [(count: Int, word: String, paint: TextStyle.Paint?)] = [
      (passed, "passed", .green), (flaky, "flaky", .yellow), (failed, "failed", .red),
      (errored, "errored", .red), (skipped, "skipped", .yellow),
      (known, known == 1 ? "known issue" : "known issues", .yellow), (notRun, "not run", nil),
      (invalidFiles, invalidFiles == 1 ? "invalid file" : "invalid files", nil),
      (doubtfulFiles, doubtfulFiles == 1 ? "doubtful file" : "doubtful files", nil),
    ]
    let words = told.filter { $0.count > 0 }.map { count, word, paint in
      paint.map { style.paint("\(count) \(word)", $0) } ?? "\(count) \(word)"
    }
    return (words.isEmpty ? "nothing ran" : words.joined(separator: ", "))
      + (warned == 0 ? "" : " (\(warned) with warnings)")
      + (hasUnreadFiles ? ", not all files read" : "")
  }
}

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
