import Foundation
import HarnessWire
import JSON

/// The params of an action, read with the standard error for what is missing or of another type.
struct ActionParameters {
  let values: JSONObject

  func value(_ key: String) throws(RPCError) -> JSONValue {
    guard let value = values[key] else { throw invalid("The param \"\(key)\" is missing.") }
    return value
  }

  func string(_ key: String) throws(RPCError) -> String {
    guard let text = try value(key).string else {
      throw invalid("The param \"\(key)\" is no string.")
    }
    return text
  }

  func object(_ key: String) throws(RPCError) -> JSONObject {
    guard let value = values[key] else { return [:] }
    guard let object = value.object else {
      throw invalid("The param \"\(key)\" is no object.")
    }
    return object
  }

  func optionalBool(_ key: String) throws(RPCError) -> Bool? {
    guard let value = values[key] else { return nil }
    guard let bool = value.bool else { throw invalid("The param \"\(key)\" is no boolean.") }
    return bool
  }

  func duration(_ key: String) throws(RPCError) -> Duration {
    guard let seconds = try value(key).double, seconds >= 0 else {
      throw invalid("The param \"\(key)\" is no number of seconds.")
    }
    return .seconds(seconds)
  }

  /// Of a press: one second if absent.
  func optionalDuration(_ key: String) throws(RPCError) -> Duration {
    values[key] == nil ? .seconds(1) : try duration(key)
  }

  /// Of a wait: five seconds if absent.
  func timeout() throws(RPCError) -> Duration {
    values["timeout"] == nil ? .seconds(5) : try duration("timeout")
  }

  func element(_ key: String = "element") throws(RPCError) -> ElementPath {
    let text = try string(key)
    do {
      return try ElementPath(text)
    } catch {
      throw invalid("The element path \"\(text)\" can't be read: \(error.message)")
    }
  }

  func optionalElement(_ key: String) throws(RPCError) -> ElementPath? {
    values[key] == nil ? nil : try element(key)
  }

  func optionalElementIsAbsent(_ key: String) -> Bool { values[key] == nil }

  func swipeDirection() throws(RPCError) -> SwipeDirection {
    let text = try string("direction")
    guard let direction = SwipeDirection(rawValue: text) else {
      throw invalid("\"\(text)\" is no direction: up, down, left or right.")
    }
    return direction
  }

  func networkState() throws(RPCError) -> Bool {
    switch try string("state") {
    case "online": return true
    case "offline": return false
    case let other: throw invalid("\"\(other)\" is no state of the network: online or offline.")
    }
  }

  func url() throws(RPCError) -> URL {
    let text = try string("url")
    guard let url = URL(string: text) else { throw invalid("\"\(text)\" is no URL.") }
    return url
  }

  func textCondition() throws(RPCError) -> TextCondition {
    if values["equals"] != nil { return .equals(try string("equals")) }
    if values["contains"] != nil { return .contains(try string("contains")) }
    if values["matches"] != nil { return .matches(try string("matches")) }
    throw invalid("One of the params \"equals\", \"contains\" and \"matches\" is needed.")
  }

  private func invalid(_ message: String) -> RPCError { RPCError(.invalidParams, message) }
}
