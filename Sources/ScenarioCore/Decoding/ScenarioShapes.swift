import SourceText

/// The tables of the keys that scenario files have.
package enum ScenarioShapes {
  package static let scenario = ObjectShape(
    "a scenario",
    keys: [
      .init("$schema", .string, "The JSON Schema that an editor checks this file by."),
      .init("name", .nonEmptyString, "Shown everywhere; the file's name where absent."),
      .init("description", .string, "What the scenario is about."),
      .init("tags", .list(.nonEmptyString), "Words to select scenarios by, with --tag."),
      .init(
        "app", .either([.nonEmptyString, .list(.nonEmptyString)]),
        "The app to launch: a program, or a list of the program and its arguments."),
      .init(
        "fixtures", .map(.nonEmptyString),
        "Launch-environment keys, each with a file under the fixtures folder."),
      .init(
        "stubs", .either([.nonEmptyString, .list(.nonEmptyString)]),
        "Files under the fixtures folder that answer the app's requests."),
      .init("environment", .map(.string), "Added to the environment of the launch."),
      .init("arguments", .strings, "Added to the arguments of the launch."),
      .init(
        "variables", .map(.scalar), "Values for ${name} in any string; $${ is a literal ${."),
      .init(
        "cases", .either([.list(.object("case")), .nonEmptyString]),
        "One result for each: a list of objects with variables, or the name of a CSV file."),
      .init("actions", .list(.object("action")), "What the user does, in order.", required: true),
      .init(
        "expected", .list(.object("expectation")),
        "The requests that must have been sent, with their exact counts; none where absent."),
      .init(
        "unexpected", .choice(["fail", "warn", "allow"]),
        "What a request does to the verdict that has to be named and isn't."),
      .init(
        "undecodable", .choice(["fail", "warn", "allow"]),
        "What a fixture or a stubbed body does to the verdict that the app can't decode."),
      .init("tracking", .list(.text(TextForms.host)), Self.trackingSummary),
      .init(
        "volatileParameters", .list(.text(TextForms.parameterName)),
        "Names of query parameters, * allowed, that are ignored when URLs are compared."),
      .init(
        "startDate", .text(TextForms.date),
        "The date at which the app's clock starts, 2026-01-01T00:00:00Z where absent."),
      .init("timeout", Self.timeout, "Seconds for the whole scenario, 30 where absent."),
      .init("skip", .nonEmptyString, "Why the scenario is not run."),
      .init(
        "knownIssue", .nonEmptyString,
        "Why the scenario is known to fail: a failure doesn't fail the run, and a pass does."),
    ],
    misplacedKeys: misplacedInScenario)

  static let trackingSummary =
    "Hosts, * allowed, whose requests must all be named, stubbed or not; every host where absent."

  /// Seconds that something may take; nothing can be done in no time.
  package static let timeout = ValueKind.number(0.001...86_400)

  package static let steps = ObjectShape(
    "a steps file",
    keys: [
      .init("$schema", .string, "The JSON Schema that an editor checks this file by."),
      .init("description", .string, "What the steps are for."),
      .init("actions", .list(.object("action")), "What the user does, in order.", required: true),
    ],
    misplacedKeys: misplacedInSteps)

  package static let count = ObjectShape(
    "a count",
    keys: [
      .init("atLeast", .wholeNumber, "The smallest count that is accepted."),
      .init("atMost", .wholeNumber, "The greatest count that is accepted."),
    ],
    misplacedKeys: [
      "exactly": "isn't a key of a count: an exact count is written as a number alone."
    ])

  private static let misplacedInScenario: [String: String] = {
    var misplacedKeys: [String: String] = [:]
    for key in ActionShapes.allKeys {
      misplacedKeys[key] = "belongs in an action, in the list \"actions\"."
    }
    for key in ExpectationShape.keys.map(\.name) {
      misplacedKeys[key] = "belongs in an expectation, in the list \"expected\"."
    }
    for key in ["fixturesDirectory", "jobs"] {
      misplacedKeys[key] = "belongs in the configuration, .scenario-run.json."
    }
    return misplacedKeys.filter { scenarioKeys.contains($0.key) == false }
  }()

  private static let scenarioKeys: Set = [
    "$schema", "name", "description", "tags", "app", "fixtures", "stubs", "environment",
    "arguments", "variables", "cases", "actions", "expected", "unexpected", "undecodable",
    "tracking",
    "volatileParameters", "startDate", "timeout", "skip", "knownIssue",
  ]

  private static let misplacedInSteps: [String: String] = {
    var misplacedKeys = scenarioKeys.subtracting(["$schema", "description", "actions"])
      .reduce(into: [:]) { $0[$1] = "belongs in the scenario that uses these steps." }
    misplacedKeys["variables"] =
      "belongs in the scenario; these steps get theirs from \"with\" beside \"use\"."
    return misplacedKeys
  }()

  /// Whether scenarios have the key, and steps files don't.
  package static func isOfScenario(_ key: String) -> Bool {
    scenarioKeys.contains(key) && !steps.keys.contains { $0.name == key }
  }

  /// What a message says of a scenario's key inside an action.
  static let belongsInScenario = scenarioKeys.subtracting(["name", "actions", "timeout"])
}
