import HarnessProtocol
import ScenarioCore
import ScenarioReporting

/// What the command line says.
struct CommandOptions {
  enum Subcommand: String, CaseIterable {
    case run, validate, list, explain, play, record, review, `import`, audit, compare, sweep, merge,
      schema,
      completions
  }

  var subcommand = Subcommand.run
  /// PATHs, or the words of a subcommand.
  var words: [String] = []
  var app: [String]?
  var fixtures: String?
  var jobs: Int?
  var timeout: Duration?
  var passedEnvironment: [String] = []
  /// The variables whose values are secrets.
  var secretNames: [String] = []
  var tags: [String] = []
  var skippedTags: [String] = []
  var filters: [String] = []
  var maximumFailures: Int?
  var retries = 0
  var flaky = FlakyPolicy.pass
  var isStrict = false
  var repetitions = 1
  var onlyLastFailed = false
  var stateFolder: String?
  var shard: Shard?
  /// What the apps' random numbers follow from.
  var seed: UInt64?
  /// When answers are delivered, whatever the scenarios say.
  var schedule: Schedule?
  /// What `sweep` tries.
  var sweepKind: SweepKind?
  /// How many schedules of a scenario `sweep` tries.
  var budget = 200
  var hasPairs = false
  var junit: String?
  var hasJUnitFileAttribute = false
  var html: String?
  var ctrf: String?
  var events: String?
  var keepFolder: String?
  var keepsAll = false
  var color = ColorChoice.auto
  var detail = ConsoleOptions.Detail.normal
  var isJSON = false
  /// Whether `list` prints identifiers in place of scenarios.
  var wantsIdentifiers = false
  var isMarkdown = false
  /// What `compare` compares.
  var baseApp: String?
  var headApp: String?
  /// How many of a scenario's own actions `play` does; all where absent.
  var playedSteps: Int?
  /// Whether files are replaced without asking, and differences with concerns are accepted.
  var isForced = false
  /// Whether a draft that waits for review is an error.
  var forbidsPending = false
  var acceptsAll = false
  var rejectsAll = false
  var decisionsFile: String?
  /// Percent; what fewer changes than that being noticed makes a failure.
  var failUnder: Double?
  /// Hosts whose captured requests are tracking.
  var trackingHosts: [String] = []
  var wantsHelp = false
  var wantsVersion = false
}

/// What a pass after a failure does to the exit code.
enum FlakyPolicy: String, CaseIterable {
  case fail, pass
}

/// When output is coloured.
enum ColorChoice: String, CaseIterable {
  case auto, always, never

  /// An option beats the environment; of that `NO_COLOR` beats `FORCE_COLOR` and `CLICOLOR_FORCE`, which beat
  /// the terminal (no-color.org, force-color.org, bixense.com/clicolors).
  func isColored(isTerminal: Bool, environment: [String: String]) -> Bool {
    switch self {
    case .always: return true
    case .never: return false
    case .auto: break
    }
    if let value = environment["NO_COLOR"], !value.isEmpty { return false }
    for name in ["FORCE_COLOR", "CLICOLOR_FORCE"] {
      if let value = environment[name], !value.isEmpty, value != "0" { return true }
    }
    return isTerminal && environment["TERM"] != "dumb"
  }
}

extension CommandOptions {
  /// With the first word read, which says what to sweep.
  func forSweep() throws(CommandFailure) -> CommandOptions {
    var options = self
    let kinds = SweepKind.allCases.map(\.rawValue).joined(separator: ", ")
    guard let word = words.first else {
      throw CommandFailure(
        "Name what to sweep: \(kinds). Then scenarios: scenario-run sweep orders PATH…")
    }
    guard let kind = SweepKind(rawValue: word) else {
      throw CommandFailure("There is no sweep \"\(word)\". There are: \(kinds).")
    }
    guard kind != .orders || !hasPairs else {
      throw CommandFailure("--pairs belongs to sweep faults and sweep restarts.")
    }
    options.sweepKind = kind
    options.words.removeFirst()
    return options
  }
}
