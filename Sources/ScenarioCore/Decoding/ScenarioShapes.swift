import HarnessProtocol
import SourceText

/// The keys that scenarios and the configuration have in common.
extension ObjectShape.Key {
  static let schema = Self(
    "$schema", .string, "The JSON Schema that an editor checks this file by.")
  static let app = Self(
    "app", .either([.nonEmptyString, .list(.nonEmptyString, least: 1)]),
    "The app to launch: a program, or a list of the program and its arguments.")
  static let environment = Self(
    "environment", .map(.string), "Added to the environment of each launch.")
  static let stubs = Self(
    "stubs", .either([.nonEmptyString, .list(.nonEmptyString)]),
    "Files under the fixtures folder that answer the app's requests.")
  static let tracking = Self(
    "tracking", .list(.text(TextForms.host)),
    "Hosts, * allowed, whose requests must all be named, stubbed or not; every host where absent.")
  static let volatileParameters = Self(
    "volatileParameters", .list(.text(TextForms.parameterName)),
    "Names of query parameters, * allowed, that are ignored when URLs are compared.")
  /// Nothing can be done in no time.
  static let timeout = Self(
    "timeout", .number(0.001...86_400),
    "Seconds for one scenario, from launch to exit; \(whereAbsent(Configuration.defaultTimeout)).")

  static func actions(_ summary: String, least: Int = 0) -> Self {
    Self("actions", .list(.object("action"), least: least), summary, required: true)
  }

  /// What a summary says of a default.
  static func whereAbsent(_ duration: Duration) -> String {
    let seconds = duration / .seconds(1)
    return whereAbsent(Int(exactly: seconds).map(String.init) ?? "\(seconds)")
  }

  static func whereAbsent(_ text: String) -> String { "\(text) where absent" }
}

/// The tables of the keys that scenario files have.
package enum ScenarioShapes {
  package static let scenario: ObjectShape = .init(
    "a scenario",
    keys: [
      .schema,
      .init("name", .nonEmptyString, "Shown everywhere; the file's name where absent."),
      .init("description", .string, "What the scenario is about."),
      .init("tags", .list(.nonEmptyString), "Words to select scenarios by, with --tag."),
      .app,
      .init(
        "fixtures", .map(.nonEmptyString),
        "Launch-environment keys, each with a file under the fixtures folder."),
      .stubs,
      .environment,
      .init("arguments", .strings, "Added to the arguments of the launch."),
      .init(
        "variables", .map(.scalar), "Values for ${name} in any string; $${ is a literal ${."),
      .init(
        "cases", .either([.list(.object("case"), least: 1), .nonEmptyString]),
        "One result for each: a list of objects with variables, or the name of a CSV file."),
      .actions("What the user does, in order."),
      .init(
        "expected", .list(.object("expectation")),
        "The requests that must have been sent, with their exact counts; none where absent."),
      .init(
        "unexpected", .choice(UnexpectedPolicy.self),
        "What a request does to the verdict that has to be named and isn't."),
      .init(
        "undecodable", .choice(UnexpectedPolicy.self),
        "What a fixture or a stubbed body does to the verdict that the app can't decode."),
      .tracking, .init("decoders", EventShapes.decoders, EventShapes.decodersSummary),
      .volatileParameters,
      .init(
        "schedule", .nonEmptyString,
        "When answers are delivered, as scenario-run sweep prints it; at once where absent."),
      .init(
        "startDate", .text(TextForms.date),
        "The date at which the app's clock starts, "
          + "\(ObjectShape.Key.whereAbsent(StartDate.defaultText))."),
      .timeout,
      .init("skip", .nonEmptyString, "Why the scenario is not run."),
      .init(
        "knownIssue", .nonEmptyString,
        "Why the scenario is known to fail: a failure doesn't fail the run, and a pass does."),
    ],
    misplacedKeys: misplacedInScenario)

  package static let steps: ObjectShape = .init(
    "a steps file",
    keys: [
      .schema,
      .init("description", .string, "What the steps are for."),
      .actions("What the user does, in order."),
    ],
    misplacedKeys: misplacedInSteps)

  package static let count: ObjectShape = .init(
    "a count",
    keys: [
      .init("atLeast", .wholeNumber, "The smallest count that is accepted."),
      .init("atMost", .wholeNumber, "The greatest count that is accepted."),
    ],
    misplacedKeys: [
      "exactly": "isn't a key of a count: an exact count is written as a number alone."
    ])

  private static let misplacedInScenario = ObjectShape.misplaced(
    (
      ConfigurationDecoder.shape.keys.map(\.name),
      "belongs in the configuration, .scenario-run.json."
    ),
    (ExpectationShape.keys.map(\.name), "belongs in an expectation, in the list \"expected\"."),
    (ActionShapes.allKeys, "belongs in an action, in the list \"actions\".")
  ).filter { !scenarioKeys.contains($0.key) }

  static let scenarioKeys: Set<String> = Set(scenario.keys.map(\.name))

  private static let misplacedInSteps = ObjectShape.misplaced(
    (
      ["variables"], "belongs in the scenario; these steps get theirs from \"with\" beside \"use\"."
    ),
    (scenarioKeys.filter(isOfScenario), "belongs in the scenario that uses these steps."))

  /// Whether scenarios have the key, and steps files don't.
  package static func isOfScenario(_ key: String) -> Bool {
    scenarioKeys.contains(key) && !steps.keys.contains { $0.name == key }
  }

  /// What a message says of a scenario's key inside an action.
  static let belongsInScenario: Set<String> = scenarioKeys.subtracting([
    "name", "actions", "timeout",
  ])
}
