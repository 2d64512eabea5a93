import ScenarioCore
import ScenarioReporting

/// All options; the parser, the help and the completions are made from this table.
enum OptionTable {
  static let all: [OptionSpecification] = selection + running + drafts + strength + reports + other

  private static let selecting: Set<CommandOptions.Subcommand> = [
    .run, .list, .audit, .compare, .sweep,
  ]

  private static let selection: [OptionSpecification] = [
    .init(
      "--tag", "TAG", "only scenarios with this tag; may be repeated: with one of them", .selection,
      selecting
    ) { $0.tags.append($1) },
    .init(
      "--skip-tag", "TAG", "leave out scenarios with this tag", .selection, selecting
    ) { $0.skippedTags.append($1) },
    .init(
      "--filter", "TEXT", "only scenarios with this text in their name or path", .selection,
      selecting
    ) { $0.filters.append($1) },
    .init(
      "--shard", "I/N",
      "the I-th of N parts, for several machines (automatic under Bazel, GitLab and CircleCI)",
      .selection, selecting
    ) { $0.shard = try OptionValue.shard($1) },
    .init(
      "--shard-by", "HOW",
      "slice: in turn (default); hash: each keeps its shard when others are added", .selection,
      selecting
    ) { $0.shardKind = try OptionValue.choice($1) },
    .init(
      "--last-failed", nil,
      "only what did not pass in the last run; everything if that isn't known",
      .selection, selecting
    ) { options, _ in options.onlyLastFailed = true },
  ]

  /// What starts apps.
  private static let launching: Set<CommandOptions.Subcommand> = [
    .run, .play, .record, .audit, .compare, .sweep,
  ]

  private static let running: [OptionSpecification] = [
    .init(
      "--app", "PROGRAM", "the app to launch, instead of the configuration's", .running,
      launching.subtracting([.compare])
    ) { $0.app = [$1] },
    .init("--base", "PROGRAM", "the app as it was", .running, [.compare]) { $0.baseApp = $1 },
    .init("--head", "PROGRAM", "the app as it is now", .running, [.compare]) { $0.headApp = $1 },
    .init(
      "--fixtures", "DIR", "the fixtures folder", .running,
      [.run, .validate, .list, .explain, .play, .record, .audit, .compare, .import, .sweep]
    ) { $0.fixtures = $1 },
    .init(
      "--jobs", "N", "how many scenarios run at once (default: one for each core)", .running,
      [.run, .record, .audit, .compare, .sweep]
    ) {
      $0.jobs = try OptionValue.count($1, in: 1...10_000)
    },
    .init(
      "--timeout", "S", "seconds for one scenario, from launch to exit; beats its own \"timeout\"",
      .running,
      launching
    ) {
      $0.timeout = try OptionValue.seconds($1)
    },
    .init(
      "--pass-env", "NAME", "pass this environment variable on to the app", .running, launching
    ) {
      $0.passedEnvironment.append($1)
    },
    .init(
      "--secret", "NAME", "mask the value of this environment variable in all output",
      .running,
      [
        .run, .validate, .list, .explain, .play, .record, .review, .audit, .compare, .import,
        .sweep,
      ]
    ) { $0.secretNames.append($1) },
    .init(
      "--fail-fast", nil, "start nothing more after the first scenario that doesn't pass", .running
    ) {
      options, _ in options.maximumFailures = 1
    },
    .init("--max-failures", "N", "start nothing more after N scenarios that don't pass", .running) {
      $0.maximumFailures = try OptionValue.count($1, in: 1...1_000_000)
    },
    .init(
      "--retries", "N", "try up to N times more what doesn't pass; if it then passes, it is flaky",
      .running
    ) {
      $0.retries = try OptionValue.count($1, in: 0...100)
    },
    .init(
      "--flaky", "WHAT", "whether a flaky scenario lets the run fail or pass (default: pass)",
      .running, [.run, .merge]
    ) { $0.flaky = try OptionValue.choice($1) },
    .init(
      "--strict", nil, "treat warnings as failures: of a scenario, its app or its files", .running,
      [.run, .validate]
    ) { options, _ in options.isStrict = true },
    .init("--repeat", "N", "run each scenario N times", .running) {
      $0.repetitions = try OptionValue.count($1, in: 1...1_000_000)
    },
    .init(
      "--seed", "N", "the seed of the app's random numbers (default: 0)", .running, launching
    ) {
      $0.seed = UInt64(try OptionValue.count($1, in: 0...Int.max))
    },
    .init(
      "--schedule", "TEXT",
      "deliver the app's answers as this schedule says; sweep prints schedules",
      .running,
      [.run, .play]
    ) { $0.schedule = try OptionValue.schedule($1) },
    .init(
      "--budget", "N", "how many schedules to try for each scenario (default: 200)", .running,
      [.sweep]
    ) { $0.budget = try OptionValue.count($1, in: 1...Int.max) },
    .init("--pairs", nil, "try two faults, or two restarts, together", .running, [.sweep]) {
      options, _ in options.hasPairs = true
    },
    .init("--until", "N", "stop the replay after action N", .running, [.play]) {
      $0.playedSteps = try OptionValue.count($1, in: 0...Int.max)
    },
    .init("--shuffle", "SEED", "run in an order that this seed decides", .running) {
      $0.shuffleSeed = UInt64(try OptionValue.count($1, in: 0...Int.max))
    },
  ]

  private static let drafts: [OptionSpecification] = [
    .init(
      "--no-pending", nil, "end with exit code 3 if a draft is waiting for review", .drafts,
      [.run, .validate]
    ) { options, _ in options.forbidsPending = true },
    .init("--accept", nil, "accept each difference that isn't marked with !", .drafts, [.review]) {
      options, _ in options.acceptsAll = true
    },
    .init("--reject", nil, "reject every difference", .drafts, [.review]) { options, _ in
      options.rejectsAll = true
    },
    .init(
      "--decisions", "FILE", "take the decisions from a JSON file; - is stdin", .drafts, [.review]
    ) { $0.decisionsFile = $1 },
    .init(
      "--force", nil,
      "replace files without asking; in review, also accept what is marked with !", .drafts,
      [.play, .record, .review, .import]
    ) { options, _ in options.isForced = true },
    .init(
      "--tracking", "HOST", "treat requests to this host as tracking; * stands for any characters",
      .drafts, [.import]
    ) { $0.trackingHosts.append($1) },
  ]

  private static let strength: [OptionSpecification] = [
    .init(
      "--fail-under", "PERCENT", "end with exit code 1 if fewer of the changes are noticed",
      .reports,
      [.audit]
    ) { $0.failUnder = try OptionValue.percentage($1) }
  ]

  private static let reports: [OptionSpecification] = [
    .init("--junit", "FILE", "write a JUnit XML report", .reports, [.run, .merge, .sweep]) {
      $0.junit = $1
    },
    .init(
      "--junit-file-attribute", nil, "add file and line to its test cases, which some tools read",
      .reports, [.run, .sweep]
    ) { options, _ in options.hasJUnitFileAttribute = true },
    .init("--html", "FILE", "write an HTML report", .reports, [.run, .merge, .sweep]) {
      $0.html = $1
    },
    .init(
      "--ctrf", "FILE", "write a report in the Common Test Report Format", .reports, [.run, .merge]
    ) { $0.ctrf = $1 },
    .init(
      "--events", "FILE", "write each event as it happens, as a line of JSON; - is stdout",
      .reports,
      [.run, .merge, .sweep]
    ) { $0.events = $1 },
    .init(
      "--keep", "DIR",
      "keep a folder for each scenario that didn't pass: its files, trace, output and a script that runs it again",
      .reports
    ) { $0.keepFolder = $1 },
    .init("--keep-all", nil, "with --keep: keep what passed, too", .reports) { options, _ in
      options.keepsAll = true
    },
    .init(
      "--state", "DIR",
      "where the results for --last-failed are kept (default: .scenario-run beside the configuration)",
      .reports, selecting
    ) { $0.stateFolder = $1 },
    .init(
      "--identifiers", nil, "print the element identifiers that the scenarios use",
      .reports, [.list]
    ) { options, _ in options.wantsIdentifiers = true },
    .init(
      "--json", nil, "print JSON", .reports, [.list, .review, .audit, .compare]
    ) { options, _ in options.isJSON = true },
    .init("--markdown", nil, "print Markdown for a comment on a pull request", .reports, [.compare])
    {
      options, _ in options.isMarkdown = true
    },
    .init(
      "--quiet", nil, "print only what didn't pass, and the summary", .reports, [.run, .sweep],
      short: "-q"
    ) { options, _ in options.detail = .quiet },
    .init("--verbose", nil, "also print each action with what it sent", .reports, short: "-v") {
      options, _ in
      options.detail = .verbose
    },
    .init(
      "--color", "WHEN", "auto, always or never", .reports,
      Set(CommandOptions.Subcommand.allCases)
    ) { $0.color = try OptionValue.choice($1) },
  ]

  private static let other: [OptionSpecification] = [
    .init(
      "--help", nil, "show this help", .other, Set(CommandOptions.Subcommand.allCases), short: "-h"
    ) { options, _ in options.wantsHelp = true },
    .init(
      "--version", nil, "show the version", .other, Set(CommandOptions.Subcommand.allCases)
    ) { options, _ in options.wantsVersion = true },
  ]
}

extension OptionSpecification {
  init(
    _ name: String, _ valueName: String?, _ help: String, _ group: Group,
    _ subcommands: Set<CommandOptions.Subcommand> = [.run], short: String? = nil,
    apply: @escaping @Sendable (inout CommandOptions, String) throws -> Void
  ) {
    self.init(
      name: name, shortName: short, valueName: valueName, help: help, subcommands: subcommands,
      group: group, apply: apply)
  }
}

/// One option of the command line: how it is written, what it does, how it is read.
struct OptionSpecification {
  /// With the two hyphens.
  var name: String
  var shortName: String?
  /// What the value is called in the help; `nil` for a flag.
  var valueName: String?
  var help: String
  /// The subcommands that take it.
  var subcommands: Set<CommandOptions.Subcommand>
  var group: Group
  /// - Throws: `OptionValueError`.
  var apply: @Sendable (inout CommandOptions, String) throws -> Void

  enum Group: String, CaseIterable {
    case selection = "Which scenarios"
    case running = "How they run"
    case drafts = "Drafts"
    case reports = "What is written"
    case other = "Other"
  }

  var usage: String { valueName.map { "\(name) \($0)" } ?? name }
}

/// A value that an option can't take.
struct OptionValueError: Error {
  /// What the option wants.
  var wanted: String
}
