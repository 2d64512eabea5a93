import ScenarioCore
import ScenarioReporting

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
  /// - Throws: `OptionValueError`.
  var apply: @Sendable (inout CommandOptions, String) throws -> Void

  /// - Parameter valueName: `nil` for a flag.
  init(
    _ name: String, _ valueName: String?, _ help: String,
    _ subcommands: Set<CommandOptions.Subcommand> = [.run], short: String? = nil,
    apply: @escaping @Sendable (inout CommandOptions, String) throws -> Void
  ) {
    (self.name, self.valueName, self.help) = (name, valueName, help)
    (self.subcommands, shortName, self.apply) = (subcommands, short, apply)
  }

  /// A flag.
  init(
    _ name: String, _ help: String, _ subcommands: Set<CommandOptions.Subcommand>,
    short: String? = nil, _ property: WritableKeyPath<CommandOptions, Bool> & Sendable
  ) {
    self.init(name, nil, help, subcommands, short: short) { options, _ in
      options[keyPath: property] = true
    }
  }

  /// A text, of which the last counts.
  init(
    _ name: String, _ valueName: String, _ help: String,
    _ subcommands: Set<CommandOptions.Subcommand>,
    _ property: WritableKeyPath<CommandOptions, String?> & Sendable
  ) {
    self.init(name, valueName, help, subcommands) { $0[keyPath: property] = $1 }
  }

  /// A text that may be given more than once.
  init(
    _ name: String, _ valueName: String, _ help: String,
    _ subcommands: Set<CommandOptions.Subcommand>,
    _ property: WritableKeyPath<CommandOptions, [String]> & Sendable
  ) {
    self.init(name, valueName, help, subcommands) { $0[keyPath: property].append($1) }
  }

  var usage: String { valueName.map { "\(name) \($0)" } ?? name }
}

/// All options; the parser, the help and the completions are made from this table.
enum OptionTable {
  static let all: [OptionSpecification] = groups.flatMap(\.options)

  static let groups: [(title: String, options: [OptionSpecification])] = [
    ("Which scenarios", selection), ("How they run", running), ("Drafts", drafts),
    ("What is written", reports), ("Other", other),
  ]

  private static let every = Set(CommandOptions.Subcommand.allCases)
  private static let selecting: Set<CommandOptions.Subcommand> = [
    .run, .list, .audit, .compare, .sweep,
  ]
  /// What starts apps.
  private static let launching: Set<CommandOptions.Subcommand> = [
    .run, .play, .record, .audit, .compare, .sweep,
  ]
  private static let reading = launching.union([.validate, .list, .explain, .import])

  private static let selection: [OptionSpecification] = [
    .init(
      "--tag", "TAG", "only scenarios with this tag; may be repeated: with one of them", selecting,
      \.tags),
    .init("--skip-tag", "TAG", "leave out scenarios with this tag", selecting, \.skippedTags),
    .init(
      "--filter", "TEXT", "only scenarios with this text in their name or path", selecting,
      \.filters),
    .init(
      "--shard", "I/N",
      "the I-th of N parts, for several machines (automatic under Bazel, GitLab and CircleCI)",
      selecting
    ) { $0.shard = try OptionValue.shard($1) },
    .init(
      "--last-failed", "only what did not pass in the last run; everything if that isn't known",
      selecting, \.onlyLastFailed),
  ]

  private static let running: [OptionSpecification] = [
    .init(
      "--app", "PROGRAM", "the app to launch, instead of the configuration's",
      launching.subtracting([.compare])
    ) { $0.app = [$1] },
    .init("--base", "PROGRAM", "the app as it was", [.compare], \.baseApp),
    .init("--head", "PROGRAM", "the app as it is now", [.compare], \.headApp),
    .init("--fixtures", "DIR", "the fixtures folder", reading, \.fixtures),
    .init(
      "--jobs", "N", "how many scenarios run at once (default: one for each core)",
      launching.subtracting([.play])
    ) { $0.jobs = try OptionValue.count($1, in: 1...10_000) },
    .init(
      "--timeout", "S", "seconds for one scenario, from launch to exit; beats its own \"timeout\"",
      launching
    ) { $0.timeout = try OptionValue.seconds($1) },
    .init(
      "--pass-env", "NAME", "pass this environment variable on to the app", launching,
      \.passedEnvironment),
    .init(
      "--secret", "NAME", "mask the value of this environment variable in all output",
      reading.union([.review]), \.secretNames),
    .init(
      "--fail-fast", nil, "start nothing more after the first scenario that doesn't pass"
    ) { options, _ in options.maximumFailures = 1 },
    .init("--max-failures", "N", "start nothing more after N scenarios that don't pass") {
      $0.maximumFailures = try OptionValue.count($1, in: 1...1_000_000)
    },
    .init(
      "--retries", "N", "try up to N times more what doesn't pass; if it then passes, it is flaky"
    ) { $0.retries = try OptionValue.count($1, in: 0...100) },
    .init(
      "--flaky", "WHAT", "whether a flaky scenario lets the run fail or pass (default: pass)",
      [.run, .merge]
    ) { $0.flaky = try OptionValue.choice($1) },
    .init(
      "--strict", "treat warnings as failures: of a scenario, its app or its files",
      [.run, .validate], \.isStrict),
    .init("--repeat", "N", "run each scenario N times") {
      $0.repetitions = try OptionValue.count($1, in: 1...1_000_000)
    },
    .init("--seed", "N", "the seed of the app's random numbers (default: 0)", launching) {
      $0.seed = UInt64(try OptionValue.count($1, in: 0...Int.max))
    },
    .init(
      "--schedule", "TEXT",
      "deliver the app's answers as this schedule says; sweep prints schedules", [.run, .play]
    ) { $0.schedule = try OptionValue.schedule($1) },
    .init(
      "--budget", "N", "how many schedules to try for each scenario (default: 200)", [.sweep]
    ) { $0.budget = try OptionValue.count($1, in: 1...Int.max) },
    .init("--pairs", "try two faults, or two restarts, together", [.sweep], \.hasPairs),
    .init("--until", "N", "stop the replay after action N", [.play]) {
      $0.playedSteps = try OptionValue.count($1, in: 0...Int.max)
    },
  ]

  private static let drafts: [OptionSpecification] = [
    .init(
      "--no-pending", "end with exit code 3 if a draft is waiting for review", [.run, .validate],
      \.forbidsPending),
    .init("--accept", "accept each difference that isn't marked with !", [.review], \.acceptsAll),
    .init("--reject", "reject every difference", [.review], \.rejectsAll),
    .init(
      "--decisions", "FILE", "take the decisions from a JSON file; - is stdin", [.review],
      \.decisionsFile),
    .init(
      "--force", "replace files without asking; in review, also accept what is marked with !",
      [.play, .record, .review, .import], \.isForced),
    .init(
      "--tracking", "HOST", "treat requests to this host as tracking; * stands for any characters",
      [.import], \.trackingHosts),
  ]

  private static let reports: [OptionSpecification] = [
    .init(
      "--fail-under", "PERCENT", "end with exit code 1 if fewer of the changes are noticed",
      [.audit]
    ) { $0.failUnder = try OptionValue.percentage($1) },
    .init("--junit", "FILE", "write a JUnit XML report", [.run, .merge, .sweep], \.junit),
    .init(
      "--junit-file-attribute", "add file and line to its test cases, which some tools read",
      [.run, .sweep], \.hasJUnitFileAttribute),
    .init("--html", "FILE", "write an HTML report", [.run, .merge, .sweep], \.html),
    .init(
      "--ctrf", "FILE", "write a report in the Common Test Report Format", [.run, .merge], \.ctrf),
    .init(
      "--events", "FILE", "write each event as it happens, as a line of JSON; - is stdout",
      [.run, .merge, .sweep], \.events),
    .init(
      "--keep", "DIR",
      "keep a folder for each scenario that didn't pass: its files, trace, output and a script that runs it again",
      [.run], \.keepFolder),
    .init("--keep-all", "with --keep: keep what passed, too", [.run], \.keepsAll),
    .init(
      "--state", "DIR",
      "where the results for --last-failed are kept (default: .scenario-run beside the configuration)",
      selecting, \.stateFolder),
    .init(
      "--identifiers", "print the element identifiers that the scenarios use", [.list],
      \.wantsIdentifiers),
    .init("--json", "print JSON", [.list, .review, .audit, .compare], \.isJSON),
    .init(
      "--markdown", "print Markdown for a comment on a pull request", [.compare], \.isMarkdown),
    .init(
      "--quiet", nil, "print only what didn't pass, and the summary", [.run, .sweep], short: "-q"
    ) { options, _ in options.detail = .quiet },
    .init("--verbose", nil, "also print each action with what it sent", short: "-v") {
      options, _ in options.detail = .verbose
    },
    .init("--color", "WHEN", "auto, always or never", every) {
      $0.color = try OptionValue.choice($1)
    },
  ]

  private static let other: [OptionSpecification] = [
    .init("--help", "show this help", every, short: "-h", \.wantsHelp),
    .init("--version", "show the version", every, \.wantsVersion),
  ]
}
