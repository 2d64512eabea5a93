import Foundation
import HarnessProtocol
import JSON
import Testing

@testable import AppHarness

@MainActor @Suite("An action does what XCUITest's word means")
struct ActionPerformerTests {
  /// An app of one list that shows three rows at a time.
  @MainActor final class ListApp: HarnessedApp {
    var log: [String] = []
    var offset = 0
    var text = ""
    var isEnabled = true
    var appearance: VirtualClock.Instant?
    let clock: VirtualClock

    init(clock: VirtualClock) { self.clock = clock }

    var screen: Element {
      let rows = (0..<10).map { row in
        Element(.cell, "row\(row)", isVisible: (offset..<offset + 3).contains(row))
          .onTap { self.log.append("tap \(row)") }
      }
      let list = Element(.table, "list", children: rows).onSwipe { direction in
        self.offset = max(0, min(7, self.offset + (direction == .up ? 3 : -3)))
      }
      let field = Element(.textField, "field", value: text, isFocused: true)
        .onTypeText { self.text += $0 }.onClearText { self.text = "" }
      let button = Element(.button, "button", label: "Go", isEnabled: isEnabled)
        .onTap { self.log.append("tap") }
        .onLongPress { self.log.append("press \($0 / .seconds(1))") }
      let toast =
        appearance.map { clock.now >= $0 } ?? false ? [Element(.staticText, "toast")] : []
      return Element(.window, "Root", children: [list, field, button] + toast)
    }
  }

  private let clock = VirtualClock(start: Date(timeIntervalSince1970: 0))

  private func perform(
    _ verb: ActionVerb, _ params: JSONObject, on app: ListApp
  ) async throws {
    let performer = ActionPerformer(
      app: app, clock: clock, network: NetworkCondition(), settle: {})
    try await performer.perform(Action(verb, params))
  }

  @Test("a double tap without a handler of its own is two taps")
  func doubleTap() async throws {
    let app = ListApp(clock: clock)
    try await perform(.doubleTap, ["element": "button"], on: app)
    #expect(app.log == ["tap", "tap"])
  }

  @Test("a long press takes a second if nobody says how long")
  func longPress() async throws {
    let app = ListApp(clock: clock)
    try await perform(.longPress, ["element": "button"], on: app)
    try await perform(.longPress, ["element": "button", "duration": 2.5], on: app)
    #expect(app.log == ["press 1.0", "press 2.5"])
  }

  @Test("text goes into the named field, or into the focused one")
  func typing() async throws {
    let app = ListApp(clock: clock)
    try await perform(.typeText, ["text": "ab", "into": "field"], on: app)
    try await perform(.typeText, ["text": "c"], on: app)
    #expect(app.text == "abc")
    try await perform(.clearText, ["element": "field"], on: app)
    #expect(app.text == "")
  }

  @Test("scrolling ends when the element is visible, in either direction")
  func scrolling() async throws {
    let app = ListApp(clock: clock)
    try await perform(.scrollTo, ["element": "row8"], on: app)
    #expect((app.offset..<app.offset + 3).contains(8))
    try await perform(.scrollTo, ["element": "row0"], on: app)
    #expect(app.offset == 0)
  }

  @Test("what can't be scrolled to is not found")
  func scrollingInVain() async {
    let app = ListApp(clock: clock)
    await expect(.elementNotFound) {
      try await perform(.scrollTo, ["element": "row11"], on: app)
    }
  }

  @Test("an element that is not visible, not enabled or takes no taps is refused")
  func refusals() async {
    let app = ListApp(clock: clock)
    await expect(.elementNotFound) { try await perform(.tap, ["element": "row9"], on: app) }
    await expect(.notEnabled) { try await perform(.tap, ["element": "field"], on: app) }
    app.isEnabled = false
    await expect(.notEnabled) { try await perform(.tap, ["element": "button"], on: app) }
    #expect(app.log.isEmpty)
  }

  @Test("a wait moves the clock to what it waits for, or to its end")
  func waiting() async throws {
    let app = ListApp(clock: clock)
    let instant = clock.now.advanced(by: .seconds(2))
    app.appearance = instant
    clock.schedule(at: instant) {}
    try await perform(.waitForExistence, ["element": "toast", "timeout": 3], on: app)
    #expect(clock.now == instant)
    await expect(.timedOut) {
      try await perform(.waitForNonExistence, ["element": "toast", "timeout": 4], on: app)
    }
    #expect(clock.now.offset == .seconds(6))
  }

  @Test("assertions say what there is instead")
  func assertions() async throws {
    let app = ListApp(clock: clock)
    app.text = "swift"
    try await perform(.assertText, ["element": "field", "equals": "swift"], on: app)
    try await perform(.assertText, ["element": "field", "contains": "wif"], on: app)
    try await perform(.assertText, ["element": "field", "matches": "s.*t"], on: app)
    try await perform(.assertNotExists, ["element": "toast"], on: app)
    await expect(.assertionFailed) {
      try await perform(.assertText, ["element": "field", "matches": "s.*f"], on: app)
    }
    for (text, pattern) in [("٣", #"\d"#), ("a\n", "a")] {
      app.text = text
      await expect(.assertionFailed) {
        try await perform(
          .assertText, ["element": "field", "matches": .string(pattern)], on: app)
      }
    }
    app.text = "a\nb"
    try await perform(.assertText, ["element": "field", "matches": "a.b"], on: app)
    app.text = String(repeating: "a", count: 60) + "!"
    for pattern in ["a)(b", "(a+)+"] {
      await expect(.invalidParams) {
        try await perform(.assertText, ["element": "field", "matches": .string(pattern)], on: app)
      }
    }
    await expect(.assertionFailed) {
      try await perform(.assertExists, ["element": "toast"], on: app)
    }
  }

  private func expect(
    _ code: RPCErrorCode, _ work: @MainActor () async throws -> Void,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async {
    do {
      try await work()
      Issue.record("nothing was thrown", sourceLocation: sourceLocation)
    } catch {
      #expect((error as? RPCError)?.code == code, "\(error)", sourceLocation: sourceLocation)
    }
  }
}
