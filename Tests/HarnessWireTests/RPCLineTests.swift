import HarnessWire
import Testing

@Suite("A message is a line")
struct RPCLineTests {
  private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  @Test("a request, and back")
  func request() throws {
    let request = RPCRequest(
      id: 3, method: "typeText", params: ["text": "a\nb \u{1} \"é\" /", "into": "field"])
    let line = try RPCLine.bytes(of: request)
    #expect(line.count { $0 == UInt8(ascii: "\n") } == 1 && line.last == UInt8(ascii: "\n"))
    #expect(try RPCLine.request(from: line.dropLast()) == request)
  }

  @Test("a response, and back")
  func responses() throws {
    let error = RPCError(.timedOut, "Late.", data: ["onScreen": ["Window"]])
    for response in [
      RPCResponse(id: 1, result: .success(["a": 1, "b": 1.5, "c": nil, "d": [true, "x"]])),
      RPCResponse(id: 2, result: .failure(error)),
      RPCResponse(id: nil, result: .failure(RPCError(.parseError, "What?"))),
    ] {
      let line = try RPCLine.bytes(of: response)
      #expect(RPCLine.response(from: line.dropLast()) == response)
    }
  }

  @Test(
    "a plain response is the same whether it is decoded or known at sight",
    arguments: [
      #"{"jsonrpc":"2.0","id":7,"result":{}}"#,
      #" { "result" : { } , "id" : 7, "jsonrpc":"2.0" } "#,
      #"{"jsonrpc":"2.0","id":7,"result":{},"more":[]}"#,
      #"{"jsonrpc":"2.0","id":7,"id":8,"result":{}}"#,
      #"{"jsonrpc":"2.0","id":7.0,"result":{"a":1}}"#, #"{"jsonrpc":"2.0","id":-7,"result":{}}"#,
      #"{"jsonrpc":"2.0","result":{}}"#, #"{"jsonrpc":"2.0","id":null,"result":{}}"#,
      #"{"jsonrpc":"2.1","id":7,"result":{}}"#, #"{"jsonrpc":"2.0","id":7,"result":{}} x"#,
      #"{"jsonrpc":"2.0","id":7,"result":{}"#,
      #"{"jsonrpc":"2.0","id":12345678901234567890,"result":{}}"#,
    ])
  func plainResponses(text: String) {
    let line = Array(text.utf8)
    // A lazy sequence has no storage to look at, so it is decoded.
    #expect(RPCLine.response(from: line) == RPCLine.response(from: line.lazy.map { $0 }))
  }

  @Test("a value is written as Foundation reads it")
  func written() throws {
    let value: JSONValue = [
      "z": [1, -2, 0.5, 1e300, true, false, nil, []],
      "a": ["\u{7F}": "\u{2028}\\\"/é\t", "": [:]],
    ]
    #expect(try JSONValue(parsing: value.lineBytes()) == value)
    #expect(throws: EncodingError.self) { try JSONValue.number(.infinity).lineBytes() }
  }

  @Test(
    "what is no request gets the standard code",
    arguments: [
      ("{", RPCErrorCode.parseError), ("", .parseError), ("[]", .invalidRequest),
      (#"{"jsonrpc":"2.0","method":"tap"}"#, .invalidRequest),
      (#"{"jsonrpc":"1.0","id":1,"method":"tap"}"#, .invalidRequest),
      (#"{"jsonrpc":"2.0","id":"1","method":"tap"}"#, .invalidRequest),
      (#"{"jsonrpc":"2.0","id":1,"method":"tap","params":[]}"#, .invalidParams),
    ])
  func malformed(line: String, code: RPCErrorCode) {
    let error = #expect(throws: RPCError.self) { try RPCLine.request(from: Array(line.utf8)) }
    #expect(error?.code == code)
  }

  @Test(
    "what is no response is the app's own output",
    arguments: [
      "hello", "{}", "{ not json", "", #"{"jsonrpc":"2.0","id":1}"#, #"{"id":1,"result":{}}"#,
      "[1]",
    ])
  func ownOutput(line: String) {
    #expect(RPCLine.response(from: Array(line.utf8)) == nil)
  }

  @Test("numbers, booleans and strings stay what they are")
  func kinds() throws {
    let value = try JSONValue(parsing: Array(#"[1, 1.0, 1.5, true, "1", null, 1e3]"#.utf8))
    let values = try #require(value.arrayValue)
    #expect(values.map(\.boolValue) == [nil, nil, nil, true, nil, nil, nil])
    #expect(values.map(\.integerValue) == [1, 1, nil, nil, nil, nil, 1000])
    #expect(values.map(\.stringValue) == [nil, nil, nil, nil, "1", nil, nil])
  }
}
