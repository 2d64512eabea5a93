import JSON

/// What the runner asks the app to do, parsed once.
///
/// Scenario files, explanations, the dialogue and the kit read this one description. A new verb begins
/// here: the compiler then names every place that has to know it.
package enum Action: Sendable, Equatable {
  case tap(ElementPath)
  case doubleTap(ElementPath)
  case longPress(ElementPath, duration: Duration)
  /// On the whole screen where no element is named.
  case swipe(SwipeDirection, on: ElementPath?)
  case scrollTo(ElementPath)
  /// Into the focused field where no element is named.
  case typeText(String, into: ElementPath?)
  case clearText(ElementPath)
  case waitForExistence(ElementPath, timeout: Duration)
  case waitForNonExistence(ElementPath, timeout: Duration)
  case assertExists(ElementPath)
  case assertNotExists(ElementPath)
  case assertText(ElementPath, TextCondition)
  /// An absolute URL.
  case openURL(String)
  case push(payload: JSONValue, isTapped: Bool)
  case background
  case foreground
  case advanceClock(Duration)
  case setNetwork(NetworkState)
  case perform(String, with: JSONObject)
}

/// Where a finger goes.
public enum SwipeDirection: String, Sendable, CaseIterable {
  case up, down, left, right
}

package enum NetworkState: String, Sendable, CaseIterable {
  case online, offline
}

/// What an element's text must be like.
package enum TextCondition: Sendable, Equatable {
  case equals(String)
  case contains(String)
  /// A regular expression for the whole text.
  case matches(String)

  /// Their names as keys; an action has exactly one of them.
  package static let keys = ["equals", "contains", "matches"]
}

/// What is wrong with a param of an action.
package struct ActionError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The param.
  package var key: String
  package var message: String
  /// Where in the param's text, as UTF-8 offsets.
  package var range: Range<Int>?

  /// The message where a param is missing that the action needs.
  package static let incomplete = "it is missing"

  package var description: String { "The param \"\(key)\" can't be used: \(message)" }
}

// MARK: - As params

extension Action {
  /// The params of its request.
  package var params: JSONObject {
    switch self {
    case .tap(let element), .doubleTap(let element), .scrollTo(let element),
      .clearText(let element), .assertExists(let element), .assertNotExists(let element):
      ["element": .string(element.description)]
    case .longPress(let element, let duration):
      ["element": .string(element.description), "duration": .seconds(duration)]
    case .swipe(let direction, let element):
      [
        "direction": .string(direction.rawValue),
        "on": element.map { .string($0.description) },
      ]
    case .typeText(let text, let element):
      ["text": .string(text), "into": element.map { .string($0.description) }]
    case .waitForExistence(let element, let timeout),
      .waitForNonExistence(let element, let timeout):
      ["element": .string(element.description), "timeout": .seconds(timeout)]
    case .assertText(let element, .equals(let text)):
      ["element": .string(element.description), "equals": .string(text)]
    case .assertText(let element, .contains(let text)):
      ["element": .string(element.description), "contains": .string(text)]
    case .assertText(let element, .matches(let text)):
      ["element": .string(element.description), "matches": .string(text)]
    case .openURL(let url): ["url": .string(url)]
    case .push(let payload, let isTapped): ["payload": payload, "tapped": .bool(isTapped)]
    case .background, .foreground: [:]
    case .advanceClock(let duration): ["seconds": .seconds(duration)]
    case .setNetwork(let state): ["state": .string(state.rawValue)]
    case .perform(let name, let values):
      ["action": .string(name), "with": values.isEmpty ? nil : .object(values)]
    }
  }

  /// Reads the params of a request.
  ///
  /// - Throws: `ActionError` where one is missing, has another type or a value that it can't have.
  package init(_ verb: ActionVerb, _ params: JSONObject) throws(ActionError) {
    let params = ActionParams(values: params)
    switch verb {
    case .tap: self = .tap(try params.element())
    case .doubleTap: self = .doubleTap(try params.element())
    case .longPress:
      self = .longPress(
        try params.element(),
        duration: try params.duration("duration", ifAbsent: ActionDefaults.pressDuration))
    case .swipe: self = .swipe(try params.choice("direction"), on: try params.element(in: "on"))
    case .scrollTo: self = .scrollTo(try params.element())
    case .typeText:
      self = .typeText(try params.string("text"), into: try params.element(in: "into"))
    case .clearText: self = .clearText(try params.element())
    case .waitForExistence:
      self = .waitForExistence(try params.element(), timeout: try params.timeout())
    case .waitForNonExistence:
      self = .waitForNonExistence(try params.element(), timeout: try params.timeout())
    case .assertExists: self = .assertExists(try params.element())
    case .assertNotExists: self = .assertNotExists(try params.element())
    case .assertText: self = .assertText(try params.element(), try params.textCondition())
    case .openURL: self = .openURL(try params.absoluteURL("url"))
    case .push:
      self = .push(
        payload: try params.value("payload"),
        isTapped: try params.bool("tapped", ifAbsent: ActionDefaults.isTapped))
    case .background: self = .background
    case .foreground: self = .foreground
    case .advanceClock: self = .advanceClock(try params.duration("seconds"))
    case .setNetwork: self = .setNetwork(try params.choice("state"))
    case .perform: self = .perform(try params.string("action"), with: try params.object("with"))
    }
  }
}

extension JSONValue {
  /// A whole number where it is one.
  fileprivate static func seconds(_ duration: Duration) -> JSONValue {
    let seconds = duration / .seconds(1)
    return Int(exactly: seconds).map(JSONValue.integer) ?? .double(seconds)
  }
}

/// The params of one request, read key by key.
private struct ActionParams {
  let values: JSONObject

  func value(_ key: String) throws(ActionError) -> JSONValue {
    guard let value = values[key] else {
      throw ActionError(key: key, message: ActionError.incomplete)
    }
    return value
  }

  func string(_ key: String) throws(ActionError) -> String {
    guard let text = try value(key).string else { throw expected("a string", key) }
    return text
  }

  /// Empty where it is absent.
  func object(_ key: String) throws(ActionError) -> JSONObject {
    guard let value = values[key] else { return [:] }
    guard let object = value.object else { throw expected("an object", key) }
    return object
  }

  func bool(_ key: String, ifAbsent absent: Bool) throws(ActionError) -> Bool {
    guard let value = values[key] else { return absent }
    guard let bool = value.bool else { throw expected("true or false", key) }
    return bool
  }

  func duration(
    _ key: String, ifAbsent absent: Duration? = nil
  ) throws(ActionError) -> Duration {
    if let absent, values[key] == nil { return absent }
    guard let seconds = try value(key).double, seconds >= 0, seconds <= 1e10 else {
      throw expected("a number of seconds", key)
    }
    return .seconds(seconds)
  }

  func timeout() throws(ActionError) -> Duration {
    try duration("timeout", ifAbsent: ActionDefaults.waitTimeout)
  }

  /// One of the names of a type's cases.
  func choice<Choice>(_ key: String) throws(ActionError) -> Choice
  where Choice: RawRepresentable<String> & CaseIterable {
    if let choice = Choice(rawValue: try string(key)) { return choice }
    throw expected(Choice.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: " or "), key)
  }

  func element() throws(ActionError) -> ElementPath { try path("element", string("element")) }

  /// `nil` where it is absent.
  func element(in key: String) throws(ActionError) -> ElementPath? {
    values[key] == nil ? nil : try path(key, string(key))
  }

  private func path(_ key: String, _ text: String) throws(ActionError) -> ElementPath {
    do {
      return try ElementPath(text)
    } catch {
      throw ActionError(key: key, message: error.message, range: error.range)
    }
  }

  func textCondition() throws(ActionError) -> TextCondition {
    if values["equals"] != nil { return .equals(try string("equals")) }
    if values["contains"] != nil { return .contains(try string("contains")) }
    if values["matches"] != nil { return .matches(try string("matches")) }
    throw ActionError(key: "equals", message: ActionError.incomplete)
  }

  func absoluteURL(_ key: String) throws(ActionError) -> String {
    let text = try string(key)
    let scheme = text.prefix { $0 != ":" }
    let isScheme =
      scheme.count < text.count && scheme.first.map { $0.isASCII && $0.isLetter } ?? false
      && scheme.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
    if !isScheme {
      throw ActionError(
        key: key,
        message: "\"\(text)\" isn't an absolute URL. It begins with a scheme, as \"myapp://home\".")
    }
    if text.unicodeScalars.contains(where: { $0.value <= 0x20 || $0.value == 0x7F }) {
      throw ActionError(
        key: key, message: "The URL \"\(text)\" contains white space. Write a space as %20.")
    }
    return text
  }

  private func expected(_ what: String, _ key: String) -> ActionError {
    let found = values[key].map { ", found \($0)" } ?? ""
    return ActionError(key: key, message: "expected \(what)\(found)")
  }
}
