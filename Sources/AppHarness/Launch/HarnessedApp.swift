import Foundation
import HarnessProtocol
import JSON

/// An app under test: what is on its screen, and what the system tells it.
///
/// Only `screen` is required. `initialize` tells the runner which actions the app can do:
/// implement `open` and `receive`, and list them in `abilities`, where the app has deep links and
/// push notifications.
@MainActor public protocol HarnessedApp: AnyObject, Sendable {
  /// What is on screen now; asked for anew for each action.
  var screen: Element { get }

  /// What the app can do besides the gestures; empty if absent.
  var abilities: Set<AppAbility> { get }

  /// The actions for `perform`, by name.
  var registeredActions: [String: RegisteredAction] { get }

  func didEnterBackground()
  func willEnterForeground()

  /// Opens a deep link.
  func open(_ url: URL) throws

  /// Takes a remote notification; `tapped`: the user opened it.
  func receive(_ payload: JSONValue, tapped: Bool) throws
}

/// A JSON value, as scenarios hand it to an app: a push payload, a parameter.
public typealias JSONValue = JSON.JSONValue

/// The members of a JSON object, in their order.
public typealias JSONObject = JSON.JSONObject

/// An action of the app's own, with the parameters that the scenario gives under `with`.
public typealias RegisteredAction = @MainActor (JSONObject) async throws -> Void

/// What not every app can do.
public enum AppAbility: Sendable {
  case openURL, push
}

extension HarnessedApp {
  public var abilities: Set<AppAbility> { [] }
  public var registeredActions: [String: RegisteredAction] { [:] }
  public func didEnterBackground() {}
  public func willEnterForeground() {}
  public func open(_ url: URL) throws {}
  public func receive(_ payload: JSONValue, tapped: Bool) throws {}
}
