import HarnessWire
import Testing

@testable import ScenarioRunner

@Suite("Decoding of responses")
struct ResponseDecoderTests {
  @Test("A line that came before is the same response, any other its own")
  func known() {
    let lines = [
      #"{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":1,"actions":["tap"]}}"#,
      #"{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":1,"actions":["tap"]}}"#,
      #"{"jsonrpc":"2.0","id":3,"result":{"protocolVersion":1,"actions":["tap"]}}"#,
      #"{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":1,"actions":["map"]}}"#,
      #"{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":1,"actions":["tap"]}}"#,
      #"{"jsonrpc":"2.0","id":4,"error":{"code":-32001,"message":"no"}}"#,
      "the app's own output",
    ].map { Array($0.utf8) }
    for line in lines {
      #expect(ResponseDecoder.response(from: line) == RPCLine.response(from: line))
    }
  }
}
