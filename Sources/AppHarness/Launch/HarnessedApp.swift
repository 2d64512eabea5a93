import Foundation
import HarnessProtocol
import JSON

/// An app under test: what is on its screen, and what the system tells it.
///
/// Only `screen` is required. What not every app can do has protocols of its own: implement
/// `DeepLinkHandling` and `PushReceiving` where the app has deep links and push notifications. The runner
/// is told at launch, and a scenario with an action that the app can't do is refused.
@MainActor public protocol HarnessedApp: AnyObject, Sendable {
  /// What is on screen now; asked for anew for each action.
  var screen: Element { get }

  /// The actions for `perform`, by name; none if absent.
  var registeredActions: [String: RegisteredAction] { get }

  func didEnterBackground()
  func willEnterForeground()
}

/// An app with deep links, which `openURL` opens.
@MainActor public protocol DeepLinkHandling: HarnessedApp {
  /// Opens a deep link; what it throws fails the action.
  func open(_ url: URL) throws
}

/// An app that takes remote notifications, which `push` delivers.
@MainActor public protocol PushReceiving: HarnessedApp {
  /// Takes a remote notification; what it throws fails the action.
  ///
  /// - Parameter tapped: whether the user opened it.
  func receive(_ payload: JSONValue, tapped: Bool) throws
}

/// An action of the app's own, with the parameters that the scenario gives under `with`.
public typealias RegisteredAction = @MainActor (JSONObject) async throws -> Void

/// A JSON value, as scenarios hand it to an app: a push payload, a parameter.
public typealias JSONValue = JSON.JSONValue

/// The members of a JSON object, in their order.
public typealias JSONObject = JSON.JSONObject

extension HarnessedApp {
  public var registeredActions: [String: RegisteredAction] { [:] }
  public func didEnterBackground() {}
  public func willEnterForeground() {}
}
