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
      try await wait(timeout, "\"\(path)\" did not appear") { exists(path) }
    case .waitForNonExistence(let path, let timeout):
      try await wait(timeout, "\"\(path)\" did not disappear") { !exists(path) }
    case .assertExists(let path): try assertExists(path)
    case .assertNotExists(let path): try assertNotExists(path)
    case .assertText(let path, let condition): try assertText(path, condition)
    case .background: app.didEnterBackground()
    case .foreground: app.willEnterForeground()
    case .openURL(let text): try open(text)
    case .push(let payload, let isTapped): try app.receive(payload, tapped: isTapped)
    case .advanceClock(let duration): try await advanceClock(by: duration)
    case .setNetwork(let state): network.set(isOnline: state == .online)
    case .perform(let name, let values): try await performRegistered(name, values)
    }
  }

  private func open(_ text: String) throws {
    guard let url = URL(string: text) else {
      throw RPCError(.invalidParams, "\"\(text)\" isn't a valid URL.")
    }
    try app.open(url)
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
