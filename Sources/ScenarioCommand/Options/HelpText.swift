import ScenarioReporting

/// The help, made from the table of options.
enum HelpText {
  static func text(for subcommand: CommandOptions.Subcommand) -> String {
    ([usage(subcommand)] + WordWrap.lines(purpose(subcommand), width: 80) + [""]
      + (subcommand == .run ? subcommands : []) + options(of: subcommand)
      + (subcommand == .run ? ending : [])).joined(separator: "\n") + "\n"
  }

  private static func usage(_ subcommand: CommandOptions.Subcommand) -> String {
    switch subcommand {
    case .run: "Usage: scenario-run [OPTIONS] PATH…\n"
    case .validate: "Usage: scenario-run validate PATH…\n"
    case .list: "Usage: scenario-run list [OPTIONS] PATH…\n"
    case .explain: "Usage: scenario-run explain FILE…\n"
    case .play: "Usage: scenario-run play [OPTIONS] FILE\n"
    case .record: "Usage: scenario-run record [OPTIONS] FILE…\n"
    case .review: "Usage: scenario-run review [OPTIONS] [FILE…]\n"
    case .audit: "Usage: scenario-run audit [OPTIONS] PATH…\n"
    case .compare: "Usage: scenario-run compare --base APP --head APP [OPTIONS] PATH…\n"
    case .import: "Usage: scenario-run import [OPTIONS] CAPTURE.har FILE\n"
    case .sweep: "Usage: scenario-run sweep orders|faults|restarts [OPTIONS] PATH…\n"
    case .merge: "Usage: scenario-run merge REPORT… OPTION FILE\n"
    case .schema: "Usage: scenario-run schema [KIND]\n"
    case .completions: "Usage: scenario-run completions bash|zsh|fish\n"
    }
  }

  private static func purpose(_ subcommand: CommandOptions.Subcommand) -> String {
    switch subcommand {
    case .run:
      """
      Runs scenarios: starts the app headless, does what a user would do, and proves that exactly the \
      expected requests were sent, each exactly as often as it should. A PATH is a scenario file, a \
      folder, or file:line.
      """
    case .validate:
      "Checks scenario files, and all files that they name, without launching anything."
    case .list: "Lists scenarios, without launching anything."
    case .explain: "Explains scenarios in plain sentences."
    case .play:
      """
      Plays a scenario: shows what each action changes on screen and what it sends, then takes \
      commands from the terminal or a pipe, such as "tap cartButton", or "3" for the element numbered 3, and \
      saves them as a scenario. If FILE doesn't exist yet, it starts the app. Type help for the commands.
      """
    case .record:
      """
      Drafts what scenarios should expect. Each runs twice; what was sent is drafted beside it, in \
      FILE.pending, and the scenario stays as it is. Exit code 1 means that there is a draft, or that one could not be \
      made.
      """
    case .review:
      """
      Walks through the drafts of record and import; without FILE, through all drafts below this folder. \
      Each difference is accepted into the scenario, rejected or left. Exit code 1 means that something is left \
      to decide.
      """
    case .audit:
      """
      Asks how strong scenarios are. Each runs once; then what it sent is changed in every possible way, \
      one change at a time, and judged again. What nobody notices is listed with the place of the expectation \
      and what would notice it; then what no scenario asks about.
      """
    case .compare:
      """
      Tells what two builds of an app send otherwise in the same scenarios, action by action. Exit code 1 \
      means that something differs.
      """
    case .import:
      """
      Makes a scenario of captured traffic (HAR). The capture's API part becomes a fixture, without \
      credentials, cookies, tokens and e-mail addresses; FILE begins with it, and play goes on. What looks \
      like tracking is drafted as what FILE expects, for review.
      """
    case .sweep:
      """
      Runs each scenario in every way it can go: with its answers in all orders, with each of them failing, \
      or killed at each point and launched again. A schedule that fails is shown as short as it can be, \
      with the line that replays it. 1 says that one fails.
      """
    case .merge:
      """
      Joins the reports of all shards of a run into one, which the option names: --junit, --html, --ctrf or \
      --events FILE, of reports of that kind. A report that is missing, doubled or of \
      another run is refused with 2. Otherwise the exit code is the gravest of the shards': 130 or 143 \
      where one was interrupted, 3 where a file is invalid, 1 where something failed, errored or was \
      not run, 4 where nothing was selected, or 0.
      """
    case .schema:
      "Prints a JSON Schema for editors. KIND is scenario, steps, stubs or configuration."
    case .completions: "Prints a script that makes a shell complete this command."
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
    OptionSpecification.Group.allCases.flatMap { group -> [String] in
      let options = OptionTable.all.filter {
        $0.group == group && $0.subcommands.contains(subcommand)
      }
      guard !options.isEmpty else { return [] }
      let rows = options.map { option in
        ((option.shortName.map { "\($0), " } ?? "") + option.usage, option.help)
      }
      return ["\(group.rawValue):"] + WordWrap.table(rows, indentation: 26) + [""]
    }
  }

  private static let ending = [
    "Configuration: .scenario-run.json, found from the first PATH upwards (app,",
    "fixturesDirectory, jobs, timeout, environment, volatileParameters, tracking).", "",
    "Exit codes: 0 passed, 1 something failed or errored, 2 the command line or the",
    "configuration is wrong, 3 a file is invalid, 4 nothing was selected, 130 and 143",
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
