import Foundation

/// Turns JSON-RPC 2.0 messages into lines and back.
///
/// The protocol is line-delimited: a message never contains a newline.
public enum RPCLine {
  /// The request as one line, newline included.
  public static func bytes(of request: RPCRequest) throws -> [UInt8] {
    try line([
      "jsonrpc": "2.0", "id": .integer(request.id), "method": .string(request.method),
      "params": .object(request.params),
    ])
  }

  /// The response as one line, newline included.
  public static func bytes(of response: RPCResponse) throws -> [UInt8] {
    var members: [String: JSONValue] = ["jsonrpc": "2.0"]
    members["id"] = response.id.map(JSONValue.integer) ?? .null
    switch response.result {
    case .success(let value): members["result"] = value
    case .failure(let error): members["error"] = object(of: error)
    }
    return try line(members)
  }

  /// The request on a line, newline excluded.
  ///
  /// - Throws: the standard code, fit to be sent back.
  public static func request(from line: some Sequence<UInt8>) throws(RPCError) -> RPCRequest {
    guard let value = try? JSONValue(parsing: line) else {
      throw RPCError(.parseError, "The line is not JSON.")
    }
    guard value["jsonrpc"] == "2.0", let id = value["id"]?.integerValue,
      let method = value["method"]?.stringValue
    else {
      throw RPCError(.invalidRequest, "The line is not a JSON-RPC 2.0 request with a number as id.")
    }
    guard let params = (value["params"] ?? .object([:])).objectValue else {
      throw RPCError(.invalidParams, "The params are not an object.")
    }
    return RPCRequest(id: id, method: method, params: params)
  }

  /// The response on a line, newline excluded; `nil` where the line is the app's own output.
  public static func response(from line: some Sequence<UInt8>) -> RPCResponse? {
    guard line.first(where: { !isBlank($0) }) == UInt8(ascii: "{") else { return nil }
    if let id = line.withContiguousStorageIfAvailable(PlainResponse.id(of:)) ?? nil {
      return RPCResponse(id: id, result: .success([:]))
    }
    guard let value = try? JSONValue(parsing: line), value["jsonrpc"] == "2.0"
    else { return nil }
    let id = value["id"]?.integerValue
    if let error = value["error"], let code = error["code"]?.integerValue {
      let message = error["message"]?.stringValue ?? ""
      let failure = RPCError(
        RPCErrorCode(rawValue: code), message, data: error["data"])
      return RPCResponse(id: id, result: .failure(failure))
    }
    return value["result"].map { RPCResponse(id: id, result: .success($0)) }
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
  }

  private static func object(of error: RPCError) -> JSONValue {
    var members: [String: JSONValue] = [
      "code": .integer(error.code.rawValue), "message": .string(error.message),
    ]
    members["data"] = error.data
    return .object(members)
  }

  private static func line(_ members: [String: JSONValue]) throws -> [UInt8] {
    try JSONValue.object(members).lineBytes() + [UInt8(ascii: "\n")]
  }
}
