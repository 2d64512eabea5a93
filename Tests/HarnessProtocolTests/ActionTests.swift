import JSON
import Testing

@testable import HarnessProtocol

@Suite("An action")
struct ActionTests {
  private static func path(_ text: String) -> ElementPath {
    guard let path = try? ElementPath(text) else { preconditionFailure(text) }
    return path
  }

  private static let actions: [Action] = [
    .tap(path("VC/cell:Item[0]/cart")), .doubleTap(path("a")),
    .longPress(path("a"), duration: .seconds(2.5)), .swipe(.left, on: nil),
    .swipe(.up, on: path("list")), .scrollTo(path("a")), .typeText("x y", into: nil),
    .typeText("", into: path("field")), .clearText(path("a")),
    .waitForExistence(path("a"), timeout: .milliseconds(500)),
    .waitForNonExistence(path("a"), timeout: .seconds(5)), .assertExists(path("a")),
    .assertNotExists(path("a")), .assertText(path("a"), .equals("")),
    .assertText(path("a"), .contains("b")), .assertText(path("a"), .matches("[0-9]+")),
    .openURL("myapp://home?x=1"), .push(payload: ["aps": [:]], isTapped: false), .background,
    .foreground, .advanceClock(.seconds(1.5)), .setNetwork(.offline),
    .perform("login", with: ["user": ["id": 1]]), .perform("logout", with: [:]),
  ]

  @Test("is read back from its params as it was", arguments: actions)
  func roundTrip(action: Action) throws {
    let line = RPCLine.bytes(
      of: RPCRequest(id: 1, method: action.verb.rawValue, params: action.params))
    let request = try RPCLine.request(from: line.dropLast())
    let verb = try #require(ActionVerb(rawValue: request.method))
    #expect(try Action(verb, request.params) == action)
  }

  @Test("of each verb is among those that are tried here")
  func verbs() {
    #expect(Set(Self.actions.map(\.verb)) == Set(ActionVerb.allCases))
  }

  @Test("has its defaults where nothing is said")
  func defaults() throws {
    #expect(
      try Action(.longPress, ["element": "a"])
        == .longPress(Self.path("a"), duration: ActionDefaults.pressDuration))
    #expect(
      try Action(.waitForExistence, ["element": "a"])
        == .waitForExistence(Self.path("a"), timeout: ActionDefaults.waitTimeout))
    #expect(try Action(.push, ["payload": [:]]) == .push(payload: [:], isTapped: true))
  }

  @Test(
    "says which param is wrong",
    arguments: [
      (.tap, [:], #"The param "element" can't be used: it is missing"#),
      (.tap, ["element": 5], #"The param "element" can't be used: expected a string, found 5"#),
      (
        .swipe, ["direction": "sideways"],
        #"The param "direction" can't be used: expected "up" or "down" or "left" or "right", "#
          + #"found "sideways""#
      ),
      (
        .longPress, ["element": "a", "duration": -1],
        #"The param "duration" can't be used: expected a number of seconds, found -1"#
      ),
      (
        .openURL, ["url": "home"],
        #"The param "url" can't be used: "home" isn't an absolute URL. It begins with a scheme, "#
          + #"as "myapp://home"."#
      ),
      (.assertText, ["element": "a"], #"The param "equals" can't be used: it is missing"#),
    ] as [(ActionVerb, JSONObject, String)])
  func mistakes(verb: ActionVerb, params: JSONObject, message: String) {
    let error = #expect(throws: ActionError.self) { try Action(verb, params) }
    #expect(error?.description == message)
  }

  @Test(
    "names elements by paths that are read back, also where marks combine",
    arguments: ["a/b", "a:b", "[0]", #"\"#, "a/\u{308}b", "\u{301}", "e\u{301}[1]"])
  func identifiers(identifier: String) throws {
    let segment = ElementPath.Segment(type: "cell", identifier: identifier, index: 2)
    let read = try ElementPath("x/" + segment.description)
    #expect(read.segments.count == 2)
    #expect(read.segments.last.map { Array($0.identifier.utf8) } == Array(identifier.utf8))
  }
}
