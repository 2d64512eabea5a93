import Foundation
import HarnessWire

/// Does what an action says, on the main actor; settling is the dialogue's.
@MainActor struct ActionPerformer {
  let app: any HarnessedApp
  let clock: VirtualClock
  let network: NetworkCondition
  let settle: @Sendable () async throws -> Void

  func perform(_ verb: ActionVerb, _ params: ActionParameters) async throws {
    switch verb {
    case .tap, .doubleTap, .longPress, .typeText, .clearText: try gesture(verb, params)
    case .swipe: try swipe(params)
    case .scrollTo: try await scroll(to: params.element())
    case .waitForExistence, .waitForNonExistence, .assertExists, .assertNotExists, .assertText:
      try await check(verb, params)
    case .background: app.didEnterBackground()
    case .foreground: app.willEnterForeground()
    case .openURL: try app.open(params.url())
    case .push:
      try app.receive(params.value("payload"), tapped: params.optionalBool("tapped") ?? true)
    case .advanceClock: try await advanceClock(by: params.duration("seconds"))
    case .setNetwork: network.set(isOnline: try params.networkState())
    case .perform: try await performRegistered(params)
    }
  }

  /// Moves the clock, waking what falls due in order of its time, settling after each.
  func advanceClock(by duration: Duration) async throws {
    let end = clock.instant(after: duration)
    while clock.wakeNext(upTo: end) {
      try await settle()
    }
  }

  private func performRegistered(_ params: ActionParameters) async throws {
    let name = try params.string("action")
    guard let action = app.registeredActions[name] else {
      let known = app.registeredActions.keys.sorted().map { "\"\($0)\"" }.joined(separator: ", ")
      throw RPCError(
        .invalidParams, "The app registered no action \"\(name)\". It registered: \(known).")
    }
    try await action(params.object("with"))
  }
}
