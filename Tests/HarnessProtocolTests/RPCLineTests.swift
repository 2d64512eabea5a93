import HarnessProtocol
import Testing

@Suite("A message is a line")
struct RPCLineTests {
  private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  @Test("a request, and back")
  func request() throws {
    let request = RPCRequest(
      id: 3, method: "typeText", params: ["text": "a\nb \u{1} \"é\" /", "into": "field"])
    let line = RPCLine.bytes(of: request)
    #expect(line.count { $0 == UInt8(ascii: "\n") } == 1 && line.last == UInt8(ascii: "\n"))
    #expect(try RPCLine.request(from: line.dropLast()) == request)
  }

  @Test("a response, and back")
  func responses() throws {
    let error = RPCError(.timedOut, "Late.", data: ["onScreen": ["Window"]])
    for response in [
      RPCResponse(id: 1, result: .success(["a": 1, "b": 1.5, "c": .null, "d": [true, "x"]])),
      RPCResponse(id: 2, result: .failure(error)),
      RPCResponse(id: nil, result: .failure(RPCError(.parseError, "What?"))),
    ] {
      let line = RPCLine.bytes(of: response)
      #expect(RPCLine.response(from: line.dropLast()) == response)
    }
  }

  @Test(
    "an error is never a success, whatever is wrong with it and whatever stands beside it",
    arguments: [
      (
        #""error":{"code":"E1","message":"no"}"#,
        #"has an error without a whole number as "code": no"#
      ),
      (
        #""error":{"code":1.5,"message":"no"}"#,
        #"has an error without a whole number as "code": no"#
      ),
      (#""error":{}"#, #"has an error without a whole number as "code""#),
      (#""error":"no""#, #"has an error without a whole number as "code": no"#),
      (#""error":false"#, #"has an error without a whole number as "code""#),
      (#""error":{"code":-32005,"message":"no"}"#, "no"),
      (#""error":{"code":-32001}"#, "the element wasn't found"),
      (#""error":{"code":7,"message":""}"#, "the app doesn't say why"),
      (#""error":{"code":-32005,"message":"no"},"error":null"#, #"has "error" twice"#),
      (#""id":1"#, #"has "id" twice"#),
    ])
  func errors(members: String, message: String) throws {
    for line in [
      #"{"jsonrpc":"2.0","id":1,"result":{},\#(members)}"#,
      #"{"jsonrpc":"2.0","id":1,\#(members)}"#,
    ] {
      let response = try #require(RPCLine.response(from: line.utf8))
      guard case .failure(let error) = response.result else {
        Issue.record("a success: \(line)")
        continue
      }
      #expect(error.message == message)
    }
    let success = RPCLine.response(from: #"{"jsonrpc":"2.0","id":1,"result":{},"error":null}"#.utf8)
    #expect(success == RPCResponse(id: 1, result: .success([:])))
  }

  @Test("text that was cut in the middle of a character isn't a reason to miss a response")
  func loneSurrogate() {
    let line = #"{"jsonrpc":"2.0","id":1,"result":{"label":"\ud83d"}}"#
    #expect(
      RPCLine.response(from: line.utf8)
        == RPCResponse(id: 1, result: .success(["label": "\u{FFFD}"])))
  }

  @Test("a line of nested arrays costs no more than any other, and is refused where it is too deep")
  func nested() {
    func line(depth: Int) -> String {
      #"{"jsonrpc":"2.0","id":1,"result":"#
        + String(repeating: "[", count: depth) + String(repeating: "]", count: depth) + "}"
    }
    #expect(RPCLine.response(from: line(depth: 250).utf8)?.id == 1)
    #expect(RPCLine.response(from: line(depth: 500_000).utf8) == nil)
  }

  @Test(
    "what isn't a request gets the standard code",
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
    "what isn't a response is the app's own output",
    arguments: [
      "hello", "{}", "{ not json", "", #"{"jsonrpc":"2.0","id":1}"#, #"{"id":1,"result":{}}"#,
      "[1]",
    ])
  func ownOutput(line: String) {
    #expect(RPCLine.response(from: Array(line.utf8)) == nil)
  }
}
