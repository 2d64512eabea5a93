import HarnessProtocol
import SourceText

/// The table of the verbs.
package enum ActionShapes {
  package static let all: [ActionShape] = gestures + waits + system + runner

  package static let byVerb = Dictionary(
    uniqueKeysWithValues: (all + [launch]).map { shape in
      var whole = shape
      whole.object = shape.object.with(misplacedKeys: misplacedKeys(beside: shape))
      return (shape.verb, whole)
    })

  package static let verbs = (all + [launch]).map(\.verb)

  /// Only the first action of a scenario can be it.
  package static let launch = ActionShape(
    "launch", .flag, .yes, "Stands for the launch, as the first action, to say what that sends.")

  /// Words of other tools, in lower case, with the verbs that say the same here.
  static let synonyms: [String: [String]] = {
    let words: [(verbs: [String], words: String)] = [
      (["tap"], "click touch select choose tapon tapelement"),
      (["tap", "longPress"], "press"), (["longPress"], "hold longclick longtap pressandhold"),
      (["doubleTap"], "doubleclick dblclick"),
      (["typeText"], "type enter entertext input inputtext fill sendkeys write setvalue"),
      (["clearText"], "clear erase erasetext cleartextfield"),
      (["swipe", "scrollTo"], "scroll drag fling"), (["swipe"], "swipeup swipedown pan"),
      (["scrollTo"], "scrollintoview scrolluntilvisible"),
      (["waitForExistence", "advanceClock"], "wait waitfor"),
      (["waitForExistence"], "waitforelement waituntil waituntilvisible"),
      (["advanceClock"], "sleep delay pause advance"),
      (["assertExists", "assertText", "expectRequests"], "assert expect verify check"),
      (["assertExists"], "assertvisible see exists shouldexist"),
      (["assertNotExists"], "assertnotvisible dontsee shouldnotexist"),
      (["openURL"], "open openlink deeplink url goto visit navigate"),
      (["push"], "notification pushnotification"),
      (["terminate"], "kill quit close stop stopapp"), (["relaunch"], "restart launchapp start"),
      (["setNetwork"], "network offline airplanemode"), (["background"], "home pressHome"),
      (["repeat"], "loop times"), (["use"], "include runflow steps call"),
    ]
    let pairs = words.flatMap { entry in
      entry.words.lowercased().split(separator: " ").map { (String($0), entry.verbs) }
    }
    return Dictionary(pairs) { first, _ in first }
  }()

  /// Every key that some action may have.
  static let allKeys =
    Set(verbs).union(all.flatMap { $0.furtherKeys.map(\.name) }).union(["sends"])

  private static let element = ValueKind.text(TextForms.elementPath)
  private static let waitTimeout = ObjectShape.Key(
    "timeout", .number(0...86_400), "Seconds to wait at most, on the app's clock; 5 where absent.")

  private static let gestures: [ActionShape] = [
    .init("tap", .element, element, "Taps an element."),
    .init("doubleTap", .element, element, "Taps an element twice, quickly."),
    .init(
      "longPress", .element, element, "Presses an element for a while.",
      [.init("duration", .number(0...86_400), "Seconds, 1 where absent.")]),
    .init(
      "swipe", .text(parameter: "direction"), .choice(["up", "down", "left", "right"]),
      "Swipes in a direction.", [.init("on", element, "The element; the screen where absent.")]),
    .init("scrollTo", .element, element, "Swipes until an element is visible."),
    .init(
      "typeText", .text(parameter: "text"), .string, "Types a text.",
      [.init("into", element, "The element that takes the text.", required: true)]),
    .init("clearText", .element, element, "Empties a text field."),
  ]

  private static let waits: [ActionShape] = [
    .init("waitForExistence", .element, element, "Waits until an element exists.", [waitTimeout]),
    .init(
      "waitForNonExistence", .element, element, "Waits until an element is gone.", [waitTimeout]),
    .init("assertExists", .element, element, "An element must exist."),
    .init("assertNotExists", .element, element, "An element must not exist."),
    .init(
      "assertText", .element, element, "An element's label or value must be as one key says.",
      [
        .init("equals", .string, "The whole text."),
        .init("contains", .nonEmptyString, "A part of the text."),
        .init("matches", .nonEmptyString, "A regular expression for the whole text."),
      ]),
  ]

  private static let system: [ActionShape] = [
    .init(
      "openURL", .text(parameter: "url"), .text(TextForms.absoluteURL),
      "Opens a deep link in the running app."),
    .init(
      "push", .payload, .either([.object("payload"), .text(TextForms.payloadFile)]),
      "Delivers a push notification: its payload, or an .apns file under the fixtures folder.",
      [.init("tapped", .boolean, "Whether the user opens it; true where absent.")]),
    .init("background", .flag, .yes, "Sends the app to the background."),
    .init("foreground", .flag, .yes, "Brings the app back to the foreground."),
    .init(
      "advanceClock", .seconds, .number(0...3_153_600_000), "Moves the app's clock, in seconds."),
    .init(
      "setNetwork", .text(parameter: "state"), .choice(["online", "offline"]),
      "Offline, every request fails."),
    .init(
      "perform", .text(parameter: "action"), .nonEmptyString,
      "Runs an action that the app registered under this name.",
      [.init("with", .map(.any), "What the action is given.")]),
  ]

  private static let runner: [ActionShape] = [
    .init("terminate", .flag, .yes, "Ends the app's process."),
    .init("relaunch", .flag, .yes, "Ends the app's process and starts a new one."),
    .init(
      "expectRequests", .expectations, .list(.object("expectation")),
      "Counts of requests so far, since the launch."),
    .init(
      "repeat", .repetitions, .integer(1...ScenarioDecoder.actionLimit),
      "Does the actions so many times.",
      [.init("actions", .list(.object("action")), "What is repeated.", required: true)]),
    .init(
      "use", .stepsFile, .nonEmptyString, "Does the actions of a steps file, named from this file.",
      [.init("with", .map(.scalar), "The variables of those steps.")]),
  ]

  /// What is said of keys that this verb does not take, but something else does.
  private static func misplacedKeys(beside shape: ActionShape) -> [String: String] {
    let own = Set(shape.object.keys.map(\.name))
    var misplacedKeys: [String: String] = [:]
    for key in ScenarioShapes.belongsInScenario {
      misplacedKeys[key] = "belongs in the scenario, not in an action."
    }
    for key in ExpectationShape.keys.map(\.name) {
      misplacedKeys[key] = "belongs in an expectation, in \"sends\" or \"expected\"."
    }
    if !own.contains("sends") {
      misplacedKeys["sends"] =
        "does not stand beside \"\(shape.verb)\", which only counts what other actions sent."
    }
    for other in all {
      for key in other.furtherKeys.map(\.name) where !own.contains(key) {
        let owners = all.filter { $0.furtherKeys.contains { $0.name == key } }
        let names = ValueKind.alternatives(owners.map { "\"\($0.verb)\"" })
        misplacedKeys[key] = "isn't a key of \"\(shape.verb)\": it belongs to \(names)."
      }
    }
    return misplacedKeys.filter { !own.contains($0.key) }
  }
}

/// A verb: what its value is, and the further keys that it takes.
package struct ActionShape: Sendable {
  /// What a verb's value stands for.
  package enum Subject: Sendable {
    case element
    case text(parameter: String)
    case seconds
    case payload
    case flag
    case expectations
    case repetitions
    case stepsFile
  }

  package var verb: String
  package var subject: Subject
  /// The keys of such an action: the verb first, then what only it has, then what all have.
  package var object: ObjectShape
  /// The further keys alone.
  package var furtherKeys: [ObjectShape.Key]

  init(
    _ verb: String, _ subject: Subject, _ kind: ValueKind, _ summary: String,
    _ furtherKeys: [ObjectShape.Key] = []
  ) {
    self.verb = verb
    self.subject = subject
    self.furtherKeys = furtherKeys
    object = ObjectShape(
      "\"\(verb)\"",
      keys: [.init(verb, kind, summary, required: true)] + furtherKeys + Self.common(subject))
  }

  private static func common(_ subject: Subject) -> [ObjectShape.Key] {
    let name = ObjectShape.Key(
      "name", .nonEmptyString, "Shown instead of the verb and its value.")
    // Counting causes nothing, so such an action's `sends` would always hold.
    if case .expectations = subject { return [name] }
    let sends = ObjectShape.Key(
      "sends", .list(.object("expectation")),
      "Exactly these requests are caused by this action; [] means that it sends nothing.")
    return [sends, name]
  }
}

/// The forms of the strings that scenario files contain.
enum TextForms {
  static let elementPath = TextForm("an element path", pattern: "^\(segment)(/\(segment))*$")
  static let absoluteURL = TextForm("an absolute URL", pattern: #"^[A-Za-z][A-Za-z0-9+.-]*:\S*$"#)
  static let date = TextForm(
    "a date like 2026-01-01T00:00:00Z",
    pattern: #"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(Z|[+-][0-9]{2}:[0-9]{2})$"#)
  static let payloadFile = TextForm("the name of an .apns file", pattern: #"\.apns$"#)

  /// Anything that isn't empty and doesn't stand for all names.
  static let parameterName = TextForm("the name of a query parameter", pattern: "[^*]")
  /// In ASCII, without `/:?#@[]`.
  static let host = TextForm(
    "a host", pattern: #"^([!"$-.0-9;->A-Z\\^-~]+|\[[0-9A-Fa-f:.*]+\])$"#)

  /// The same as the form's pattern.
  static func isHost(_ text: String) -> Bool {
    let isAddress = text.hasPrefix("[") && text.hasSuffix("]") && text.count > 2
    if isAddress {
      return text.dropFirst().dropLast().allSatisfy {
        $0.isASCII && $0.isHexDigit || ":.*".contains($0)
      }
    }
    return !text.isEmpty
      && text.unicodeScalars.allSatisfy {
        ("!"..."~").contains($0) && !"/:?#@[]".unicodeScalars.contains($0)
      }
  }

  private static let segment = #"([A-Za-z]+:)?([^/:\[\]\\]|\\[/:\[\]\\])+(\[[0-9]+\])?"#
}
