import Foundation
import HarnessProtocol
import JSON
import TestSupport
import Testing

@Suite("A store gives back what was written")
struct StoreRoundTripTests {
  static let oddRequests: [RecordedRequest] = [
    RecordedRequest(url: "https://a.example/"),
    RecordedRequest(
      url: "https://a.example/x?q=%ED%95%9C&r=a+b#f", method: "POST",
      headers: ["Content-Type": "application/json", "X-Quote": "\"\\\u{1}\t", "X-Empty": ""],
      body: Array(#"{"a":"é한글 \n"}"#.utf8), action: 3, time: 1.25, clock: 2.5, answer: .stub),
    RecordedRequest(url: "https://a.example/e\u{301}", body: [], action: 0, answer: .default),
    RecordedRequest(url: "https://a.example/é", body: [0xFF, 0, 0x0A, 0xC3], answer: .offline),
    RecordedRequest(
      url: "https://a.example/long", body: Array(repeating: 0x61, count: 1_500_000), time: 1e-7,
      answer: .fault),
    RecordedRequest(url: "a:\"b\\c\u{7F}\u{2028}\u{1F600}", action: 999_999_999),
  ]

  @Test("Requests with odd bytes come back as they were, in their order")
  func roundTrip() throws {
    let folder = try TemporaryFolder()
    let writer = try StoreWriter(folder: folder.path, processID: 7)
    for request in Self.oddRequests { try writer.append(request) }
    #expect(try requests(in: folder) == Self.oddRequests)
    let urls = try requests(in: folder).map { Array($0.url.utf8) }
    #expect(urls == Self.oddRequests.map { Array($0.url.utf8) })
  }

  /// Of several pieces, whose characters and escapes come to lie across where they are cut.
  private static func largeBodies(_ shift: Int) -> [[UInt8]] {
    let text = String(repeating: "x", count: shift) + String(repeating: "한\"é\n😀", count: 100_000)
    let bytes = Array(text.utf8)
    // Base64 cuts bytes, wherever characters begin.
    if shift > 0 { return [bytes] }
    // Not a text by a byte in the middle, or by the last.
    var broken = bytes
    broken[1 << 20] = 0xFF
    return [bytes, broken, bytes + [0xC3]]
  }

  @Test("A large body is recorded byte for byte, as JSON and Base64 have it", arguments: 0..<4)
  func largeBodies(shift: Int) throws {
    for body in Self.largeBodies(shift) { try checkLine(of: body) }
  }

  private func checkLine(of body: [UInt8]) throws {
    let folder = try TemporaryFolder()
    let writer = try StoreWriter(folder: folder.path, processID: 7)
    let request = RecordedRequest(
      url: "https://a.example/", method: "POST", headers: ["B": "2", "A": "\""], body: body,
      action: 1, time: 0.5, clock: 2, answer: .fault)
    try writer.append(request)
    try writer.append(.status(200), of: 1)
    try writer.check()
    let (key, value) =
      String(validating: body, as: UTF8.self).map { ("body", $0) }
      ?? ("bodyBase64", Data(body).base64EncodedString())
    let line =
      #"{"url":"https://a.example/","method":"POST","headers":{"A":"\"","B":"2"},"\#(key)":"#
      + JSONValue.string(value).text()
      + #","action":1,"time":0.5,"clock":2.0,"answer":"fault"}"# + "\n"
    let file = try Data(
      contentsOf: URL(filePath: folder.path + "/storedRequests.7.jsonl"))
    #expect(file == Data((line + #"{"ends":1,"status":200}"# + "\n").utf8))
    var ended = request
    ended.end = .status(200)
    #expect(try requests(in: folder) == [ended])
  }

  @Test("A request has its end, wherever that is written, and nothing else changes")
  func ends() throws {
    let folder = try TemporaryFolder()
    let writer = try StoreWriter(folder: folder.path, processID: 7)
    let names = (0..<5).map { "https://a.example/\($0)?\"ends\"" }
    let numbers = try names.map { try writer.append(RecordedRequest(url: $0, answer: .stub)) }
    let ends: [RequestEnd?] = [.error("timedOut"), .cancelled, nil, .status(503), .cancelled]
    for (number, end) in zip(numbers, ends).reversed() {
      if let end { try writer.append(end, of: number) }
    }
    // All were sent before the first ended.
    let overlaps = [4, 3, 0, 1, 0]
    #expect(
      try requests(in: folder)
        == names.indices.map { index in
          var request = RecordedRequest(url: names[index], answer: .stub, end: ends[index])
          request.overlap = overlaps[index]
          return request
        })
  }

  @Test("A request that is answered at once is written with its end, behind its own line")
  func endAtOnce() throws {
    let folder = try TemporaryFolder()
    let writer = try StoreWriter(folder: folder.path, processID: 7)
    let waiting = RecordedRequest(url: "https://a.example/waiting", answer: .stub)
    // A large body is written in pieces.
    let answered = [Array("a".utf8), Array(repeating: UInt8(ascii: "b"), count: 3 << 20)].map {
      RecordedRequest(
        url: "https://a.example/", body: $0, action: 120, answer: .default, end: .status(204))
    }
    #expect(try writer.append(waiting) == 1)
    for (index, request) in answered.enumerated() {
      #expect(try writer.append(request) == index + 2)
    }
    try writer.append(.error("timedOut"), of: 1)
    try writer.check()
    var ended = waiting
    (ended.end, ended.overlap) = (.error("timedOut"), 2)
    #expect(try requests(in: folder) == [ended] + answered)
  }

  @Test("Keys of a request's end don't matter in its own line")
  func otherKeys() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      #"{"url":"u:x","status":"sent","error":null,"ends":null}"# + "\n"
        + #" { "status" : 204 , "error" : null , "more" : [] , "ends" : 1 } "# + "\n",
      to: "storedRequests.jsonl")
    #expect(try requests(in: folder) == [RecordedRequest(url: "u:x", end: .status(204))])
  }

  @Test("Two processes with the same id have a file each")
  func sameProcessID() throws {
    let folder = try TemporaryFolder()
    let first = try StoreWriter(folder: folder.path, processID: 1)
    try first.append(RecordedRequest(url: "https://a.example/1", action: 0))
    let second = try StoreWriter(folder: folder.path, processID: 1)
    let number = try second.append(RecordedRequest(url: "https://a.example/2", action: 5))
    try second.append(.cancelled, of: number)
    let read = try requests(in: folder)
    #expect(read.map(\.url) == ["https://a.example/1", "https://a.example/2"])
    #expect(read.map(\.end) == [nil, .cancelled])
  }

  @Test("Files come in the order of their first requests, whatever their names are")
  func order() throws {
    let folder = try TemporaryFolder()
    try folder.write(#"{"url":"c:x","action":4}"# + "\n", to: "storedRequests.1.jsonl")
    try folder.write(#"{"url":"a:x","action":0,"time":2}"# + "\n", to: "storedRequests.20.jsonl")
    try folder.write(#"{"url":"b:x","action":0,"time":11}"# + "\n", to: "storedRequests.3.jsonl")
    try folder.write("d:x\n", to: "storedRequests.jsonl")
    #expect(try requests(in: folder).map(\.url) == ["a:x", "b:x", "c:x", "d:x"])
  }

  @Test("A process that was launched again during the same action comes after the one before it")
  func relaunched() throws {
    let folder = try TemporaryFolder()
    let reader = try StoreReader(folder: folder.path)
    try folder.write(#"{"url":"a:x","action":0,"time":2}"# + "\n", to: "storedRequests.9.jsonl")
    try reader.look(after: 0)
    try folder.write(#"{"url":"b:x","action":0,"time":1}"# + "\n", to: "storedRequests.8.jsonl")
    try reader.look(after: 0)
    var urls: [String] = []
    try reader.forEachLine { urls.append($0.request.url) }
    #expect(urls == ["a:x", "b:x"])
  }

  @Test("An empty folder is a store without requests")
  func empty() throws {
    #expect(try requests(in: TemporaryFolder()).isEmpty)
  }

  @Test(
    "Lines from other clients",
    arguments: [
      ("https://a.example/?x=1\n", "https://a.example/?x=1"),
      ("shop-app+1.0:x\n", "shop-app+1.0:x"),
      ("tel:1234\n", "tel:1234"),
      (" \t{ \"url\" : \"u:x\" , \"new\" : [ {} , [ 1.5e+3, true ] , null ] }\t\n", "u:x"),
      (#"{"url":"a:é\/\"\\한😀"}"# + "\n", "a:é/\"\\한😀"),
      (#"{"url":"\u0061\u003a/"}"# + "\n", "a:/"),
      (#"{"url":"v:x","time":-0.5,"action":0}"# + "\n", "v:x"),
      (#"{"\u0075rl":"w:x"}"# + "\n", "w:x"),
      (
        #"{"url":"n:x","method":null,"headers":null,"body":null,"bodyBase64":"YQ==","action":null,"#
          + #""time":null,"clock":null,"answer":null,"status":null,"error":null}"# + "\n", "n:x"
      ),
    ])
  func foreignLines(text: String, url: String) throws {
    let folder = try TemporaryFolder()
    try folder.write(text, to: "storedRequests.jsonl")
    #expect(try requests(in: folder).map(\.url) == [url])
  }

  @Test("A line that is longer than a piece of the file is read whole")
  func piecesAndLines() throws {
    let folder = try TemporaryFolder()
    let urls = (0..<3000).map { "https://a.example/" + String(repeating: "x", count: $0 % 997) }
    let long = "https://a.example/" + String(repeating: "y", count: 700_000)
    let all = urls + [long] + urls
    try folder.write(all.map { $0 + "\n" }.joined(), to: "storedRequests.jsonl")
    #expect(try requests(in: folder).map(\.url) == all)
  }
}

func requests(in folder: TemporaryFolder) throws -> [RecordedRequest] {
  var requests: [RecordedRequest] = []
  try StoreReader(folder: folder.path).forEachLine { requests.append($0.request) }
  return requests
}
