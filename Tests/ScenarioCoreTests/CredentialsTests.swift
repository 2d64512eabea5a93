import HarnessProtocol
import SourceText
import Testing

@testable import ScenarioCore

@Suite("Credentials are known")
struct CredentialsTests {
  /// Of one line of a store.
  private func values(ofLine line: String) throws -> Set<String> {
    var credentials = Credentials()
    credentials.add(try RecordedRequestLine(scanning: Array(line.utf8), 0..<line.utf8.count))
    return credentials.values
  }

  @Test(
    "of the headers of a request, without their scheme",
    arguments: [
      (#"{"Authorization":"Bearer abc.def"}"#, ["abc.def"]),
      (#"{"proxy-authorization":"Basic dTpw"}"#, ["dTpw"]),
      (#"{"X-API-Key":"0123456789"}"#, ["0123456789"]),
      (
        #"{"Cookie":"sid=0123456789; theme=dark"}"#,
        ["sid=0123456789; theme=dark", "0123456789"]
      ),
      (#"{"Set-Cookie":"sid=0123456789"}"#, ["sid=0123456789", "0123456789"]),
      (#"{"Authorization":"Bearer abc"}"#, []),
      (#"{"Accept":"application/json"}"#, []),
    ])
  func headers(headers: String, wanted: [String]) throws {
    let line = #"{"url":"https://a.example.com/","headers":\#(headers)}"#
    #expect(try values(ofLine: line) == Set(wanted))
  }

  @Test(
    "of passwords in URLs",
    arguments: [
      ("https://me:pass%2Fword@a.example.com/", ["pass%2Fword", "pass/word"]),
      ("https://me@a.example.com/", []), ("https://a.example.com/?a=b:cdef@ghi", []),
    ])
  func urls(url: String, wanted: [String]) throws {
    #expect(try values(ofLine: #"{"url":"\#(url)"}"#) == Set(wanted))
  }

  @Test("of a scenario's expectations and stub mappings")
  func scenario() {
    let stubs = """
      {"request": {"url": "/", "headers": {"X-Api-Key": {"equalTo": "of the stub"}}},
       "response": {"headers": {"Set-Cookie": "sid=0123456789; Path=/cart/items"}}}
      """
    let scenario = """
      {
        "stubs": "stubs.json",
        "actions": [
          {"tap": "a", "sends": [
            {"url": "/", "count": 1,
             "cookies": {"sid": {"or": [{"absent": true}, {"equalTo": "9876543210"}]}}}]},
          {"expectRequests": [
            {"url": "/", "headers": {"Authorization": {"contains": "of a check"}}, "count": 1}]}
        ],
        "expected": [{"url": "https://me:password@a.example.com/", "count": 1}]
      }
      """
    let files = FilesInMemory(contents: ["Fixtures/stubs.json": stubs])
    let output = ScenarioDecoder(files: files, fixturesDirectory: "Fixtures")
      .decode(SourceFile(path: "a.json", text: scenario))
    #expect(output.diagnostics.map(\.message) == [])
    var credentials = Credentials()
    for scenario in output.scenarios { credentials.add(scenario) }
    #expect(
      credentials.values == [
        "of the stub", "sid=0123456789; Path=/cart/items", "0123456789", "9876543210", "a check",
        "password",
      ])
  }
}
