import Testing

@testable import StubMappings

@Suite("Reading stub mappings")
struct MappingDecodingTests {
  @Test(
    "What is wrong is told at its place",
    arguments: [
      (
        #"{"request": {}}"#,
        #"1:1: The mapping has no answer. Write "response", or "responses" for a sequence."#
      ),
      (#"{"response": {}}"#, #"1:1: "request" is missing: a stub mapping must have it."#),
      (
        #"{"request": {}, "response": {}, "responses": [{}]}"#,
        #"1:33: "responses" can't stand beside "response". Keep one of them."#
      ),
      (#"{"request": {}, "responses": []}"#, #"1:30: "responses" is empty: write at least one."#),
      (
        #"{"request": {}, "response": {"proxyBaseUrl": "http://x"}}"#,
        #"1:30: "proxyBaseUrl" is WireMock's, but not supported here. Nothing ever reaches the network."#
      ),
      (
        #"{"request": {}, "response": {"transformers": []}}"#,
        #"1:30: "transformers" is WireMock's, but not supported here."#
      ),
      (
        #"{"request": {}, "response": {}, "postServeActions": []}"#,
        #"1:33: "postServeActions" is WireMock's, but not supported here."#
      ),
      (
        #"{"request": {"urlPathTemplate": "/a/{b}"}, "response": {}}"#,
        #"1:14: "urlPathTemplate" is WireMock's, but not supported here."#
      ),
      (
        #"{"request": {}, "response": {"urlError": "timeout"}}"#,
        #"1:42: "urlError": expected"#
      ),
      (
        #"{"request": {}, "response": {"fault": "EMPTY_REPONSE"}}"#,
        #"1:39: "fault": expected "EMPTY_RESPONSE", "MALFORMED_RESPONSE_CHUNK", "RANDOM_DATA_THEN_CLOSE" or "CONNECTION_RESET_BY_PEER", found the string "EMPTY_REPONSE". → ["EMPTY_RESPONSE"]"#
      ),
      (
        #"{"request": {}, "response": {"fault": "EMPTY_RESPONSE", "body": ""}}"#,
        #"1:57: "body" can't stand beside "fault": there is no response then."#
      ),
      (
        #"{"request": {}, "response": {"body": "", "jsonBody": {}}}"#,
        #"1:42: "jsonBody" can't stand beside "body": a response has one body."#
      ),
      (
        #"{"request": {}, "response": {"base64Body": "%%%"}}"#,
        #"1:44: The text of "base64Body" isn't valid Base64."#
      ),
      (
        #"{"request": {}, "response": {"bodyFileName": "bdy.bin"}}"#,
        #"1:46: The fixture "bdy.bin" does not exist. → ["body.bin"]"#
      ),
      (
        #"{"request": {}, "response": {}, "newScenarioState": "x"}"#,
        #"1:33: "newScenarioState" needs a "scenarioName" beside it: it says whose state is meant."#
      ),
      (
        #"{"request": {}, "response": {"status": 99}}"#,
        #"1:40: "status": expected a whole number from 200 to 599, found the number 99."#
      ),
      (
        #"{"books": []}"#,
        #""stubs.json" has neither stub mappings ("mappings", or one mapping with "request" and "response") nor a HAR capture ("log"). If it is data for the app's own fake objects, name it under "fixtures"."#
      ),
    ])
  func mistakes(_ text: String, _ message: String) {
    let (_, messages) = decodedStubs(text)
    #expect(messages.count == 1)
    #expect(messages.first?.hasPrefix(message) == true, "\(messages)")
  }

  @Test("An unknown urlError suggests the one that may have been meant")
  func suggestion() {
    let (_, messages) = decodedStubs(
      #"{"request": {}, "response": {"urlError": "notConectedToInternet"}}"#)
    #expect(messages.first?.hasSuffix(#"→ ["notConnectedToInternet"]"#) == true)
  }

  @Test("What WireMock writes into every mapping is accepted")
  func bookkeeping() throws {
    let (set, messages) = decodedStubs(
      #"""
      {"mappings": [{
        "id": "8c5db8b0-2db4-4ad7-a99f-38c9b00da3f7", "uuid": "8c5db8b0-2db4-4ad7-a99f-38c9b00da3f7",
        "name": "feed", "persistent": true, "insertionIndex": 3, "metadata": {"wmRecorded": 1},
        "request": {"url": "/feed", "method": "GET"},
        "response": {"status": 200, "body": "ok", "headers": {"Set-Cookie": ["a=1", "b=2"], "X": "y"}}
      }], "meta": {"total": 1}}
      """#)
    #expect(messages.isEmpty)
    let response = try #require(set.stubs.first?.responses.first)
    let headers = [
      StubHeader("Set-Cookie", "a=1"), StubHeader("Set-Cookie", "b=2"), StubHeader("X", "y"),
    ]
    #expect(
      response.outcome == .message(StubMessage(headers: headers, body: .bytes(Array("ok".utf8)))))
  }

  @Test("A fault with the status that WireMock writes beside it")
  func faultWithStatus() {
    let (set, messages) = decodedStubs(
      #"{"request": {}, "response": {"status": 200, "fault": "CONNECTION_RESET_BY_PEER"}}"#)
    #expect(messages.isEmpty)
    #expect(set.stubs.first?.responses.first?.outcome == .fault(.connectionResetByPeer))
  }

  @Test(
    "Bodies",
    arguments: [
      (#""body": "가\n""#, Array("가\n".utf8)),
      (
        #""jsonBody": {"b": [1.0, null, true], "a": "q\"\\\n\u0001/"}"#,
        Array(#"{"b":[1.0,null,true],"a":"q\"\\\n\u0001/"}"#.utf8)
      ),
      (#""base64Body": "AP+A""#, [0x00, 0xFF, 0x80]),
      (#""status": 204"#, []),
    ])
  func bodies(_ keys: String, _ bytes: [UInt8]) throws {
    let (set, messages) = decodedStubs(#"{"request": {}, "response": {\#(keys)}}"#)
    #expect(messages.isEmpty)
    guard case .message(let message) = set.stubs.first?.responses.first?.outcome else {
      Issue.record("no message")
      return
    }
    #expect(message.body == .bytes(bytes))
  }

  @Test("Comments, trailing commas and a delay")
  func delay() {
    let (set, messages) = decodedStubs(
      #"""
      {
        // slow
        "request": {"urlPath": "/slow",},
        "response": {"fixedDelayMilliseconds": 1500, "bodyFileName": "body.bin"},
      }
      """#)
    #expect(messages.isEmpty)
    let response = set.stubs.first?.responses.first
    #expect(response?.delay == .milliseconds(1500))
    #expect(response?.outcome == .message(StubMessage(body: .file("body.bin"))))
  }
}
