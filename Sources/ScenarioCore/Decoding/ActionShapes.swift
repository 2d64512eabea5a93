import Foundation
import HarnessProtocol
import SourceText

/// A verb: one that the app carries out, or one that the runner carries out by itself.
package enum Verb: Sendable, Equatable {
  case app(ActionVerb)
  case runner(RunnerVerb)
  /// No step: what the launch sends is said by it.
  case launch

  package var name: String {
    switch self {
    case .app(let verb): verb.rawValue
    case .runner(let verb): verb.rawValue
    case .launch: "launch"
    }
  }
}

/// What the runner carries out by itself.
package enum RunnerVerb: String, Sendable, CaseIterable {
  case terminate, relaunch, expectRequests, `repeat`, use
}

/// The table of the verbs.
package enum ActionShapes {
  package static let all: [ActionShape] =
    ActionVerb.allCases.map(shape) + RunnerVerb.allCases.map(shape)

  package static let byVerb: [String: ActionShape] = Dictionary(
    uniqueKeysWithValues: (all + [launch]).map { shape in
      var whole = shape
      whole.object = shape.object.with(misplacedKeys: misplacedKeys(beside: shape))
      return (shape.name, whole)
    })

  package static let verbs: [String] = (all + [launch]).map(\.name)

  /// Only the first action of a scenario can be it.
  package static let launch = ActionShape(
    .launch, .yes, "Stands for the launch, as the first action, to say what the launch sends.")

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
  static let allKeys: Set<String> =
    Set(verbs).union(all.flatMap { $0.furtherKeys.map(\.name) }).union(["sends"])

  private static let element = ValueKind.text(TextForms.elementPath)
  /// Seconds on the app's clock.
  private static let seconds = ValueKind.number(0...86_400)

  private static func seconds(
    _ name: String, _ summary: String, _ absent: Duration
  ) -> ObjectShape.Key {
    .init(name, seconds, "\(summary); \(ObjectShape.Key.whereAbsent(absent)).")
  }

  private static let waitTimeout = seconds(
    "timeout", "Seconds to wait at most, on the app's clock", ActionDefaults.waitTimeout)

  private static func shape(_ verb: ActionVerb) -> ActionShape {
    func shape(
      _ parameter: String?, _ kind: ValueKind, _ summary: String,
      _ furtherKeys: [ObjectShape.Key] = []
    ) -> ActionShape {
      ActionShape(.app(verb), parameter: parameter, kind, summary, furtherKeys)
    }
    return switch verb {
    case .tap: shape("element", element, "Taps an element.")
    case .doubleTap: shape("element", element, "Taps an element twice, quickly.")
    case .longPress:
      shape(
        "element", element, "Presses an element for a while.",
        [seconds("duration", "Seconds", ActionDefaults.pressDuration)])
    case .swipe:
      shape(
        "direction", .choice(SwipeDirection.self), "Swipes in a direction.",
        [.init("on", element, "The element; the screen where absent.")])
    case .scrollTo: shape("element", element, "Swipes until an element is visible.")
    case .typeText:
      shape(
        "text", .string, "Types text.",
        [.init("into", element, "The element to type into.", required: true)])
    case .clearText: shape("element", element, "Empties a text field.")
    case .waitForExistence:
      shape("element", element, "Waits until an element exists.", [waitTimeout])
    case .waitForNonExistence:
      shape("element", element, "Waits until an element is gone.", [waitTimeout])
    case .assertExists: shape("element", element, "Checks that an element exists.")
    case .assertNotExists: shape("element", element, "Checks that an element doesn't exist.")
    case .assertText:
      shape(
        "element", element, "Checks an element's label or value, as one of the keys says.",
        [
          .init("equals", .string, "The whole text."),
          .init("contains", .nonEmptyString, "A part of the text."),
          .init("matches", .nonEmptyString, "A regular expression for the whole text."),
        ])
    case .openURL:
      shape("url", .text(TextForms.absoluteURL), "Opens a deep link in the running app.")
    case .push:
      shape(
        "payload", .either([.object("payload"), .text(TextForms.payloadFile)]),
        "Delivers a push notification: its payload, or an .apns file under the fixtures folder.",
        [
          .init(
            "tapped", .boolean,
            "Whether the user opens it; "
              + "\(ObjectShape.Key.whereAbsent("\(ActionDefaults.isTapped)")).")
        ])
    case .background: shape(nil, .yes, "Sends the app to the background.")
    case .foreground: shape(nil, .yes, "Brings the app back to the foreground.")
    case .advanceClock:
      shape("seconds", .number(0...3_153_600_000), "Moves the app's clock, in seconds.")
    case .setNetwork:
      shape(
        "state", .choice(NetworkState.self),
        "Takes the app offline, where all requests fail, or online.")
    case .perform:
      shape(
        "action", .nonEmptyString, "Runs an action that the app registered under this name.",
        [.init("with", .map(.any), "What to pass to the action.")])
    }
  }

  private static func shape(_ verb: RunnerVerb) -> ActionShape {
    switch verb {
    case .terminate: ActionShape(.runner(verb), .yes, "Ends the app's process.")
    case .relaunch:
      ActionShape(.runner(verb), .yes, "Ends the app's process and starts a new one.")
    case .expectRequests:
      ActionShape(
        .runner(verb), .list(.object("expectation"), least: 1),
        "Checks how many requests were sent since the launch.")
    case .repeat:
      ActionShape(
        .runner(verb), .integer(1...FileLimits.actions),
        "Does the actions this many times.", [.actions("The actions to repeat.", least: 1)])
    case .use:
      ActionShape(
        .runner(verb), .nonEmptyString,
        "Does the actions of a steps file, named from this file.",
        [.init("with", .map(.scalar), "The variables of those steps.")])
    }
  }

  /// What is said of keys that this verb does not take, but something else does.
  private static func misplacedKeys(beside shape: ActionShape) -> [String: String] {
    let own = Set(shape.object.keys.map(\.name))
    var misplacedKeys = ObjectShape.misplaced(
      (
        ExpectationShape.keys.map(\.name),
        "belongs in an expectation, in \"sends\" or \"expected\"."
      ), (ScenarioShapes.belongsInScenario, "belongs in the scenario, not in an action."))
    if !own.contains("sends") {
      misplacedKeys["sends"] =
        "does not stand beside \"\(shape.name)\", which only counts what other actions sent."
    }
    for other in all {
      for key in other.furtherKeys.map(\.name) where !own.contains(key) {
        let owners = all.filter { $0.furtherKeys.contains { $0.name == key } }
        let names = ValueKind.alternatives(owners.map { "\"\($0.name)\"" })
        misplacedKeys[key] = "isn't a key of \"\(shape.name)\": it belongs to \(names)."
      }
    }
    return misplacedKeys.filter { !own.contains($0.key) }
  }
}

/// A verb: what its value is, and the further keys that it takes.
package struct ActionShape: Sendable {
  package var verb: Verb
  /// The param of the dialogue that the verb's value becomes; the further keys have their own names there.
  package var parameter: String?
  package var kind: ValueKind
  /// The keys of such an action: the verb first, then what only it has, then what all have.
  package var object: ObjectShape
  package var furtherKeys: [ObjectShape.Key]

  package var name: String { verb.name }

  init(
    _ verb: Verb, parameter: String? = nil, _ kind: ValueKind, _ summary: String,
    _ furtherKeys: [ObjectShape.Key] = []
  ) {
    self.verb = verb
    self.parameter = parameter
    self.kind = kind
    self.furtherKeys = furtherKeys
    object = ObjectShape(
      "\"\(verb.name)\"",
      keys: [.init(verb.name, kind, summary, required: true)] + furtherKeys + Self.common(verb))
  }

  private static func common(_ verb: Verb) -> [ObjectShape.Key] {
    let name = ObjectShape.Key(
      "name", .nonEmptyString, "Shown instead of the verb and its value.")
    // Counting causes nothing, so such an action's `sends` would always hold.
    if verb == .runner(.expectRequests) { return [name] }
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
    "a date like \(StartDate.defaultText)",
    pattern: #"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(Z|[+-][0-9]{2}:[0-9]{2})$"#)
  static let fixturePath = TextForm("a fixture and a JSONPath in it", pattern: #"#\$"#)
  static let payloadFile = TextForm("the name of an .apns file", pattern: #"\.apns$"#)

  /// Anything that isn't empty and doesn't stand for all names.
  static let parameterName = TextForm("the name of a query parameter", pattern: "[^*]")
  /// In ASCII, without `/:?#@[]`.
  static let host = TextForm(
    "a host", pattern: #"^([!"$-.0-9;->A-Z\\^-~]+|\[[0-9A-Fa-f:.*]+\])$"#)

  static func isHost(_ text: String) -> Bool {
    text.range(of: host.pattern, options: .regularExpression) == text.startIndex..<text.endIndex
  }

  private static let segment = #"([A-Za-z]+:)?([^/:\[\]\\]|\\[/:\[\]\\])+(\[[0-9]+\])?"#
}
