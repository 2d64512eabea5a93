import HarnessWire
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
}
