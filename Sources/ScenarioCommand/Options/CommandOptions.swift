import ScenarioCore
import ScenarioReporting

/// What the command line says.
struct CommandOptions {
  enum Subcommand: String, CaseIterable {
    case run, validate, list, explain, merge, schema, completions
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
  var repetitions = 1
  var onlyLastFailed = false
  var stateFolder: String?
  var shard: Shard?
  var shardKind = ShardKind.slice
  var shuffleSeed: UInt64?
  var junit: String?
  var hasJUnitFileAttribute = false
  var html: String?
  var ctrf: String?
  var events: String?
  var keepFolder: String?
  var color = ColorChoice.auto
  var detail = ConsoleOptions.Detail.normal
  var isJSON = false
  var wantsHelp = false
  var wantsVersion = false
}
