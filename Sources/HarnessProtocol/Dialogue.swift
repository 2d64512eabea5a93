import JSON

/// A JSON-RPC 2.0 request, as the runner writes it to the app's stdin.
package struct RPCRequest: Sendable, Equatable {
  /// The index of the action, see `ActionID`.
  package var id: Int
  /// `initialize`, `shutdown`, or an action's verb.
  package var method: String
  package var params: JSONObject

  package init(id: Int, method: String, params: JSONObject = [:]) {
    self.id = id
    self.method = method
    self.params = params
  }
}

/// A JSON-RPC 2.0 response, as the app writes it to its stdout.
package struct RPCResponse: Sendable, Equatable {
  /// The request's `id`; `nil` where the app could not read it.
  package var id: Int?
  package var result: Result<JSONValue, RPCError>

  package init(id: Int?, result: Result<JSONValue, RPCError>) {
    self.id = id
    self.result = result
  }
}

/// The error object of JSON-RPC 2.0.
package struct RPCError: Error, Sendable, Hashable {
  package var code: RPCErrorCode
  package var message: String
  /// What was on screen, or what else explains the error.
  package var data: JSONValue?

  package init(_ code: RPCErrorCode, _ message: String, data: JSONValue? = nil) {
    self.code = code
    self.message = message
    self.data = data
  }
}

/// The codes of JSON-RPC 2.0 and those of the contract.
package struct RPCErrorCode: RawRepresentable, Sendable, Hashable {
  package var rawValue: Int
  package init(rawValue: Int) { self.rawValue = rawValue }

  package static let parseError = RPCErrorCode(rawValue: -32700)
  package static let invalidRequest = RPCErrorCode(rawValue: -32600)
  package static let methodNotFound = RPCErrorCode(rawValue: -32601)
  package static let invalidParams = RPCErrorCode(rawValue: -32602)
  package static let internalError = RPCErrorCode(rawValue: -32603)
  package static let elementNotFound = RPCErrorCode(rawValue: -32001)
  package static let ambiguousElement = RPCErrorCode(rawValue: -32002)
  package static let notEnabled = RPCErrorCode(rawValue: -32003)
  package static let timedOut = RPCErrorCode(rawValue: -32004)
  package static let assertionFailed = RPCErrorCode(rawValue: -32005)
  /// Of an answer that isn't what JSON-RPC asks for; the message says what it `has`. Never sent.
  package static let unreadable = RPCErrorCode(rawValue: .min)

  /// What an error without a message says.
  var meaning: String {
    switch self {
    case .elementNotFound: "the element wasn't found"
    case .ambiguousElement: "several elements match"
    case .notEnabled: "the element isn't enabled"
    case .timedOut: "it took too long"
    case .assertionFailed: "the assertion doesn't hold"
    default: "the app doesn't say why"
    }
  }
}

/// Turns JSON-RPC 2.0 messages into lines and back.
///
/// The protocol is line-delimited: a message never contains a newline.
package enum RPCLine {
  /// Half of a surrogate pair alone is what remains of a text that some languages cut: no reason to take
  /// a message for the app's own output.
  private static let limits = JSONLimits(replacesLoneSurrogates: true)

  /// The request as one line, newline included.
  package static func bytes(of request: RPCRequest) -> [UInt8] {
    line([
      "jsonrpc": "2.0", "id": .integer(request.id), "method": .string(request.method),
      "params": .object(request.params),
    ])
  }

  /// The response as one line, newline included.
  package static func bytes(of response: RPCResponse) -> [UInt8] {
    var members: JSONObject = [
      "jsonrpc": "2.0", "id": response.id.map(JSONValue.integer) ?? .null,
    ]
    switch response.result {
    case .success(let value): members["result"] = value
    case .failure(let error): members["error"] = object(of: error)
    }
    return line(members)
  }

  /// The request on a line, newline excluded.
  ///
  /// - Throws: the standard code, fit to be sent back.
  package static func request(from line: some Sequence<UInt8>) throws(RPCError) -> RPCRequest {
    let value: JSONValue
    do {
      value = try JSONValue(parsing: line, limits: limits)
    } catch {
      throw RPCError(.parseError, "The line isn't JSON: \(error).")
    }
    guard value["jsonrpc"] == "2.0", let id = value["id"]?.int,
      let method = value["method"]?.string
    else {
      throw RPCError(.invalidRequest, "The line is not a JSON-RPC 2.0 request with a number as id.")
    }
    guard let params = (value["params"] ?? [:]).object else {
      throw RPCError(.invalidParams, "The params are not an object.")
    }
    return RPCRequest(id: id, method: method, params: params)
  }

  /// The response on a line, newline excluded; `nil` where the line is the app's own output.
  package static func response(from line: some Sequence<UInt8>) -> RPCResponse? {
    guard line.first(where: { !isBlank($0) }) == UInt8(ascii: "{"),
      let value = try? JSONValue(parsing: line, limits: limits), value["jsonrpc"] == "2.0"
    else { return nil }
    let id = value["id"]?.int
    if let key = value.object?.duplicateKeys.first {
      return RPCResponse(id: id, result: .failure(RPCError(.unreadable, "has \"\(key)\" twice")))
    }
    // An error is never a success, whatever else is in the answer.
    if let error = value["error"], !error.isNull {
      return RPCResponse(id: id, result: .failure(failure(error)))
    }
    return value["result"].map { RPCResponse(id: id, result: .success($0)) }
  }

  /// Whether a line that isn't a response may have been meant as one.
  package static func looksLikeResponse(_ line: [UInt8]) -> Bool {
    let start = String(decoding: line.prefix(1 << 12), as: UTF8.self)
    return start.contains("{") && start.contains(#""id""#)
      && [#""result""#, #""error""#, #""jsonrpc""#].contains(where: start.contains)
  }

  private static func failure(_ error: JSONValue) -> RPCError {
    let message = error["message"]?.string ?? error.string ?? ""
    guard let code = error["code"]?.int else {
      let words = #"has an error without a whole number as "code""#
      return RPCError(.unreadable, message.isEmpty ? words : "\(words): \(message)")
    }
    let known = RPCErrorCode(rawValue: code)
    return RPCError(known, message.isEmpty ? known.meaning : message, data: error["data"])
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
  }

  private static func object(of error: RPCError) -> JSONValue {
    [
      "code": .integer(error.code.rawValue), "message": .string(error.message),
      "data": error.data,
    ]
  }

  private static func line(_ members: JSONObject) -> [UInt8] {
    JSONValue.object(members).bytes() + [UInt8(ascii: "\n")]
  }
}

/// The methods of the dialogue that aren't actions.
package enum LifecycleMethod: String, Sendable {
  /// The first request, answered when the launch has settled.
  case initialize
  /// Asks what is on the screen: not an action, and answered at once. Its `id` is that of the action
  /// before it.
  case screen
  /// The last request, answered after everything has settled and been written.
  case shutdown
}

/// The version of the dialogue that this package speaks.
package let harnessProtocolVersion = 1
