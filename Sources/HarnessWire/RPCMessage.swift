import JSON

/// A JSON-RPC 2.0 request, as the runner writes it to the app's stdin.
public struct RPCRequest: Sendable, Equatable {
  /// The index of the action, see `ActionID`.
  public var id: Int
  /// `initialize`, `shutdown`, or an action's verb.
  public var method: String
  public var params: JSONObject

  public init(id: Int, method: String, params: JSONObject = [:]) {
    self.id = id
    self.method = method
    self.params = params
  }
}

/// A JSON-RPC 2.0 response, as the app writes it to its stdout.
public struct RPCResponse: Sendable, Equatable {
  /// The request's `id`; `nil` where the app could not read it.
  public var id: Int?
  public var result: Result<JSONValue, RPCError>

  public init(id: Int?, result: Result<JSONValue, RPCError>) {
    self.id = id
    self.result = result
  }
}

/// The error object of JSON-RPC 2.0.
public struct RPCError: Error, Sendable, Hashable {
  public var code: RPCErrorCode
  public var message: String
  /// What was on screen, or what else explains the error.
  public var data: JSONValue?

  public init(_ code: RPCErrorCode, _ message: String, data: JSONValue? = nil) {
    self.code = code
    self.message = message
    self.data = data
  }
}

/// The codes of JSON-RPC 2.0 and those of the contract.
public struct RPCErrorCode: RawRepresentable, Sendable, Hashable {
  public var rawValue: Int
  public init(rawValue: Int) { self.rawValue = rawValue }

  public static let parseError = RPCErrorCode(rawValue: -32700)
  public static let invalidRequest = RPCErrorCode(rawValue: -32600)
  public static let methodNotFound = RPCErrorCode(rawValue: -32601)
  public static let invalidParams = RPCErrorCode(rawValue: -32602)
  public static let internalError = RPCErrorCode(rawValue: -32603)
  public static let elementNotFound = RPCErrorCode(rawValue: -32001)
  public static let ambiguousElement = RPCErrorCode(rawValue: -32002)
  public static let notEnabled = RPCErrorCode(rawValue: -32003)
  public static let timedOut = RPCErrorCode(rawValue: -32004)
  public static let assertionFailed = RPCErrorCode(rawValue: -32005)
}
