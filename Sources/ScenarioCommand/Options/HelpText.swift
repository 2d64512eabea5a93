import ScenarioReporting

/// The help, made from the table of options.
enum HelpText {
  static func text(for subcommand: CommandOptions.Subcommand) -> String {
    ([usage(subcommand)] + WordWrap.lines(purpose(subcommand), width: 80) + [""]
      + (subcommand == .run ? subcommands : []) + options(of: subcommand)
      + (subcommand == .run ? ending : [])).joined(separator: "\n") + "\n"
  }

  private static func usage(_ subcommand: CommandOptions.Subcommand) -> String {
    let words =
      switch subcommand {
      case .run, .list, .audit: "[OPTIONS] PATH…"
      case .validate: "PATH…"
      case .explain: "FILE…"
      case .play: "[OPTIONS] FILE"
      case .record: "[OPTIONS] FILE…"
      case .review: "[OPTIONS] [FILE…]"
      case .compare: "--base APP --head APP [OPTIONS] PATH…"
      case .import: "[OPTIONS] CAPTURE.har FILE"
      case .sweep: "orders|faults|restarts [OPTIONS] PATH…"
      case .merge: "REPORT… OPTION FILE"
      case .schema: "[KIND]"
      case .completions: "bash|zsh|fish"
      }
    let name = subcommand == .run ? "" : subcommand.rawValue + " "
    return "Usage: scenario-run \(name)\(words)\n"
  }

  private static func purpose(_ subcommand: CommandOptions.Subcommand) -> String {
    switch subcommand {
    case .run:
      """
      Runs scenarios: starts the app headless, does what a user would do, and proves that exactly the \
      expected requests were sent, each exactly as often as it should be. A PATH is a scenario file, a \
      folder, or file:line.
      """
    case .validate:
      "Checks scenario files, and all files that they name, without launching anything."
    case .list: "Lists scenarios, without launching anything."
    case .explain: "Explains scenarios in plain English."
    case .play:
      """
      Plays a scenario and takes commands. It shows what each action changes on screen and what it sends. \
      Then it takes commands from the terminal or a pipe, such as "tap cartButton", or "3" to tap the \
      element with the number 3, and saves them as a scenario. If FILE doesn't exist yet, play just starts \
      the app. Type "help" for all commands.
      """
    case .record:
      """
      Drafts what scenarios should expect. Each scenario runs twice. What it sent is written to a draft \
      beside it, FILE.pending; the scenario itself isn't changed. Exit code 1 means that there is a draft, \
      or that one could not be made.
      """
    case .review:
      """
      Goes through the drafts of record and import, one difference at a time. Each difference is accepted \
      into the scenario, rejected or skipped. Without FILE, all drafts below this folder are reviewed. Exit \
      code 1 means that differences are left to decide.
      """
    case .audit:
      """
      Measures how much scenarios would notice. Each scenario runs once; then what it sent is changed in every \
      possible way, one change at a time, and judged again. Changes that no scenario notices are listed with \
      the place of the expectation and with what would notice them, followed by requests, stubs and \
      elements that no scenario mentions.
      """
    case .compare:
      """
      Compares what two builds of an app send in the same scenarios, action by action. Exit code 1 means \
      that something differs.
      """
    case .import:
      """
      Makes a scenario from captured traffic (HAR). The answers of the API become a fixture, without \
      credentials, cookies, tokens and e-mail addresses. FILE begins with this fixture, to be continued \
      with play. What looks like tracking becomes a draft of what FILE expects, for review.
      """
    case .sweep:
      """
      Runs each scenario with its answers in every order, with each answer failing, or with the app killed \
      and launched again at each point. A schedule that fails is shortened as far as possible and shown \
      with the command that replays it. Exit code 1 means that a schedule fails.
      """
    case .merge:
      """
      Merges the reports of all shards of a run into one report of the same kind: --junit, --html, --ctrf or \
      --events FILE. A report that is missing, given twice or from another run is refused with exit code 2. \
      Otherwise the exit code is the gravest of the shards': 130 or 143 if one was interrupted, 3 if a file \
      is invalid, 1 if something failed, errored or was not run, 4 if nothing was selected, or 0.
      """
    case .schema:
      "Prints a JSON Schema for editors. KIND is scenario, steps, stubs or configuration."
    case .completions: "Prints a completion script for a shell."
    }
  }

  private static var subcommands: [String] {
    let rows = CommandOptions.Subcommand.allCases.filter { $0 != .run }.map {
      ($0.rawValue, firstSentence(purpose($0)))
    }
    return ["Subcommands (scenario-run SUBCOMMAND --help for details):"]
      + WordWrap.table(rows, indentation: 16) + [""]
  }

  private static func options(of subcommand: CommandOptions.Subcommand) -> [String] {
    OptionTable.groups.flatMap { title, options -> [String] in
      let rows = options.filter { $0.subcommands.contains(subcommand) }.map { option in
        ((option.shortName.map { "\($0), " } ?? "") + option.usage, option.help)
      }
      return rows.isEmpty ? [] : ["\(title):"] + WordWrap.table(rows, indentation: 26) + [""]
    }
  }

  private static let ending = [
    "Configuration: .scenario-run.json, found from the first PATH upwards (app,",
    "fixturesDirectory, jobs, timeout, environment, volatileParameters, stubs,",
    "tracking, decoders, trackingPlan, lint, network).", "",
    "Exit codes: 0 passed; 1 something failed or errored; 2 the command line or the",
    "configuration is wrong; 3 a file is invalid; 4 nothing was selected; 130 or 143",
    "interrupted.", "",
    "Examples:",
    "  scenario-run Scenarios/*.json",
    "  scenario-run --tag ads --junit results.xml Scenarios",
    "  scenario-run Scenarios/search-cart.json:12",
  ]

  private static func firstSentence(_ text: String) -> String {
    String(text.prefix { $0 != "." }) + "."
  }
}
