import Foundation
import HarnessProtocol
import JSON

/// Does what an action says, on the main actor; settling is the dialogue's.
@MainActor struct ActionPerformer {
  let app: any HarnessedApp
  let clock: VirtualClock
  let network: NetworkCondition
  let settle: @Sendable () async throws -> Void

  func perform(_ action: Action) async throws {
    switch action {
    case .tap(let path): try tap(path)
    case .doubleTap(let path): try doubleTap(path)
    case .longPress(let path, let duration): try press(path, for: duration)
    case .swipe(let direction, let path): try swipe(direction, on: path)
    case .scrollTo(let path): try await scroll(to: path)
    case .typeText(let text, let path): try type(text, into: path)
    case .clearText(let path): try clearText(path)
    case .waitForExistence(let path, let timeout):
      try await wait(timeout, "\"\(path)\" did not appear", for: path) { exists(path) }
    case .waitForNonExistence(let path, let timeout):
      try await wait(timeout, "\"\(path)\" did not disappear") { !exists(path) }
    case .assertExists(let path): try assertExists(path)
    case .assertNotExists(let path): try assertNotExists(path)
    case .assertText(let path, let condition): try assertText(path, condition)
    case .background: app.didEnterBackground()
    case .foreground: app.willEnterForeground()
    case .openURL(let text): try open(text)
    case .push(let payload, let isTapped):
      try able(app as? any PushReceiving, .push).receive(payload, tapped: isTapped)
    case .advanceClock(let duration): try await advanceClock(by: duration)
    case .setNetwork(let state): network.set(isOnline: state == .online)
    case .perform(let name, let values): try await performRegistered(name, values)
    }
  }

  private func open(_ text: String) throws {
    guard let url = URL(string: text) else {
      throw RPCError(.invalidParams, "\"\(text)\" isn't a valid URL.")
    }
    try able(app as? any DeepLinkHandling, .openURL).open(url)
  }

  /// The dialogue has refused an action that the app can't do: this holds where it was asked nothing.
  private func able<App>(_ app: App?, _ verb: ActionVerb) throws(RPCError) -> App {
    guard let app else {
      throw RPCError(.methodNotFound, "This app has no action \"\(verb.rawValue)\".")
    }
    return app
  }

  /// Moves the clock, waking what falls due in order of its time, settling after each.
  func advanceClock(by duration: Duration) async throws {
    let end = clock.instant(after: duration)
    while clock.wakeNext(upTo: end) {
      try await settle()
    }
  }

  private func performRegistered(_ name: String, _ values: JSONObject) async throws {
    guard let action = app.registeredActions[name] else {
      let known = app.registeredActions.keys.sorted().map { "\"\($0)\"" }.joined(separator: ", ")
      throw RPCError(
        .invalidParams, "The app registered no action \"\(name)\". It registered: \(known).")
    }
    try await action(values)
  }
}

extension ActionPerformer {
  func tap(_ path: ElementPath) throws {
    try handler(usable(path).tap, "taps", path)()
  }

  /// Two taps where the element has no handler of its own for it.
  func doubleTap(_ path: ElementPath) throws {
    let element = try usable(path)
    if let doubleTap = element.doubleTap { return doubleTap() }
    let tap = try handler(element.tap, "taps", path)
    tap()
    tap()
  }

  func press(_ path: ElementPath, for duration: Duration) throws {
    try handler(usable(path).longPress, "a long press", path)(duration)
  }

  /// Into the focused field where no element is named.
  func type(_ text: String, into path: ElementPath?) throws {
    guard let path else { return try focusedTyping()(text) }
    try handler(usable(path).typeText, "text", path)(text)
  }

  func clearText(_ path: ElementPath) throws {
    try handler(usable(path).clearText, "text to be cleared", path)()
  }

  func swipe(_ direction: SwipeDirection, on path: ElementPath?) throws {
    guard let path else {
      return try handler(innermostSwipe(on: app.screen), "swipes", "the screen")(direction)
    }
    let match = try ElementQuery(path: path, screen: app.screen).match()
    let swipe = ([match.element] + match.ancestors.reversed()).lazy.compactMap(\.swipe).first
    try handler(swipe, "swipes", path)(direction)
  }

  /// Swipes until the element is visible, or nothing changes any more.
  func scroll(to path: ElementPath) async throws {
    for direction in [SwipeDirection.up, .down] {
      var before = ScreenDescription.of(app.screen, lineLimit: .max)
      while true {
        if try isVisible(path) { return }
        guard let swipe = scroller(for: path) else { break }
        swipe(direction)
        try await settle()
        let after = ScreenDescription.of(app.screen, lineLimit: .max)
        if after == before { break }
        before = after
      }
    }
    _ = try ElementQuery(path: path, screen: app.screen).match()
    throw RPCError(
      .elementNotFound, "The element \"\(path)\" exists, but no swipe makes it visible.",
      data: ["onScreen": ScreenDescription.of(app.screen)])
  }

  private func isVisible(_ path: ElementPath) throws(RPCError) -> Bool {
    try ElementQuery(path: path, screen: app.screen).matchIfAny()?.isVisible ?? false
  }

  /// What scrolls the element: the innermost scrolling ancestor where the element is in the tree
  /// already, else the screen's.
  private func scroller(for path: ElementPath) -> (@MainActor (SwipeDirection) -> Void)? {
    let match = ElementQuery(path: path, screen: app.screen).matches().first
    let inner = match?.ancestors.reversed().lazy.compactMap(\.swipe).first
    return inner ?? innermostSwipe(on: app.screen)
  }

  /// The first element that swipes, the outermost first: where a finger on the screen lands.
  private func innermostSwipe(on element: Element) -> (@MainActor (SwipeDirection) -> Void)? {
    element.swipe
      ?? element.children.lazy.filter(\.isVisible).compactMap { innermostSwipe(on: $0) }.first
  }

  private func focusedTyping() throws(RPCError) -> @MainActor (String) -> Void {
    let focused = elements(in: app.screen).lazy.filter(\.isFocused)
    guard let typing = focused.compactMap(\.typeText).first else {
      throw RPCError(
        .elementNotFound, "No text field has the focus. Name one with \"into\", or tap it first.",
        data: ["onScreen": ScreenDescription.of(app.screen)])
    }
    return typing
  }

  private func elements(in element: Element) -> [Element] {
    [element] + element.children.flatMap(elements)
  }

  /// The one match, if it is visible and enabled.
  private func usable(_ path: ElementPath) throws(RPCError) -> Element {
    let match = try ElementQuery(path: path, screen: app.screen).match()
    guard match.isVisible else {
      throw RPCError(
        .elementNotFound,
        "The element \"\(path)\" exists, but is not visible. Add a \"scrollTo\" before.",
        data: ["onScreen": ScreenDescription.of(app.screen)])
    }
    guard match.isEnabled else {
      throw RPCError(.notEnabled, "The element \"\(path)\" is not enabled.")
    }
    return match.element
  }

  private func handler<Handler>(
    _ handler: Handler?, _ what: String, _ name: some CustomStringConvertible
  ) throws(RPCError) -> Handler {
    guard let handler else {
      throw RPCError(.notEnabled, "The element \"\(name)\" does not take \(what).")
    }
    return handler
  }
}
