import JSON

/// Turns JSON-RPC 2.0 messages into lines and back.
///
/// The protocol is line-delimited: a message never contains a newline.
public enum RPCLine {
  /// Half of a surrogate pair alone is what remains of a text that some languages cut: no reason to take
  /// a message for the app's own output.
  private static let limits = JSONLimits(replacesLoneSurrogates: true)

  /// The request as one line, newline included.
  public static func bytes(of request: RPCRequest) -> [UInt8] {
    line([
      "jsonrpc": "2.0", "id": .integer(request.id), "method": .string(request.method),
      "params": .object(request.params),
    ])
  }

  /// The response as one line, newline included.
  public static func bytes(of response: RPCResponse) -> [UInt8] {
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
  public static func request(from line: some Sequence<UInt8>) throws(RPCError) -> RPCRequest {
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
  public static func response(from line: some Sequence<UInt8>) -> RPCResponse? {
    guard line.first(where: { !isBlank($0) }) == UInt8(ascii: "{"),
      let value = try? JSONValue(parsing: line, limits: limits), value["jsonrpc"] == "2.0"
    else { return nil }
    let id = value["id"]?.int
    if let error = value["error"], let code = error["code"]?.int {
      let failure = RPCError(
        RPCErrorCode(rawValue: code), error["message"]?.string ?? "", data: error["data"])
      return RPCResponse(id: id, result: .failure(failure))
    }
    return value["result"].map { RPCResponse(id: id, result: .success($0)) }
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
