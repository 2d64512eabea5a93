import Foundation
import RequestMatching
import Testing

@Suite("Bodies are matched as the app meant them")
struct DecodedBodyTests {
  private func bytes(_ base64: String) throws -> [UInt8] {
    Array(try #require(Data(base64Encoded: base64)))
  }

  private static let gzip = "H4sIAAAAAAACA6tWSlSyMqwFAK+sG1YHAAAA"
  private static let zlib = "eJyrVkpUsjKsBQAIKgIJ"

  @Test(
    "gzip and deflate are undone, the last coding first",
    arguments: [
      (["gzip"], gzip), (["X-GZIP"], gzip), (["identity, gzip ,"], gzip), (["deflate"], zlib),
      // Without the header of zlib.
      (["deflate"], "q1ZKVLIyrAUA"),
      // Two gzip files, one after the other.
      (["gzip"], "H4sIAAAAAAACA6tWSlQCAA1xNQ8EAAAAH4sIAAAAAAACA7MyrAUAZ7NUPgMAAAA="),
      (["deflate, gzip"], "H4sIAAAAAAACA6uYszrMK2ST0RpWBg4tJk4A1ruJuA8AAAA="),
      (["deflate", "gzip"], "H4sIAAAAAAACA6uYszrMK2ST0RpWBg4tJk4A1ruJuA8AAAA="),
      ([], "eyJhIjoxfQ=="), (["identity"], "eyJhIjoxfQ=="),
    ])
  func decoded(encodings: [String], body: String) throws {
    let decoded = DecodedBody(try bytes(body), contentEncodings: encodings)
    #expect(decoded.problem == nil)
    #expect(String(decoding: decoded.bytes, as: UTF8.self) == #"{"a":1}"#)
  }

  @Test(
    "What can't be decoded stays as it was sent, and says why",
    arguments: [
      ("gzip", "eyJhIjoxfQ==", "isn't valid gzip"),
      ("deflate", "eyJhIjoxfQ==", "isn't valid deflate"),
      ("gzip", "H4sIAAAAAAACA6tWSlSyMqwF", "is gzip that ends too early"),
      // Another checksum, and something after the end.
      ("gzip", "H4sIAAAAAAACA6tWSlSyMqwFAK+sG1cHAAAA", "isn't valid gzip"),
      ("gzip", "H4sIAAAAAAACA6tWSlSyMqwFAK+sG1YHAAAAAA==", "is gzip that ends too early"),
      ("gzip", "H4sIAAAAAAACA6tWSlSyMqwFAK+sG1YHAAAAYWI=", "isn't valid gzip"),
      ("deflate", "eJyrVkpUsjKsBQAIKgIJYQ==", "isn't valid deflate"),
      ("br", "eyJhIjoxfQ==", "has the content coding \"br\", which isn't undone"),
      ("br, gzip", gzip, "has the content coding \"br\", which isn't undone"),
      // 64 MiB and a byte more, packed twice into 270.
      (
        "gzip, gzip",
        """
        H4sIAAAAAAACA+3coU5CYRTA8QtcNyZMIJAM8hgUhhrIBsmMByCy2WRzJguZbjbxADTfQGw+gDM4Z3JeuPcxvvP7\
        pS+f9p2d/S+emlmp3vjc1WrHx2r9//LVPM0AAACAxK3eHxrlMiAbFG+TmykAAACQunnnLK+WAn+z8yvjAAAAgOQ9\
        jobd6kLg+36RGwcAAAAkr//7cVntAl6Lbe/WPAAAACB5e8EAAAAACEUwAAAAAGIRDAAAAIBYBAMAAAAgGMEAAAAA\
        iEUwAAAAAGIRDAAAAIBYBAMAAAAgGMEAAAAAiEUwAAAAAGJ5Hg0H5WFA96dYjq9PMgAAACLZt+42rfbxX5gfAGu0\
        v67i/gAA
        """, "is gzip of more than 64 MiB"
      ),
    ])
  func problem(encoding: String, body: String, problem: String) throws {
    let bytes = try bytes(body)
    let decoded = DecodedBody(bytes, contentEncodings: [encoding])
    #expect(decoded.bytes == bytes)
    #expect(decoded.problem == problem)
  }

  @Test("Matchers and differences see the decoded body, or say that it can't be decoded")
  func matching() throws {
    let pattern = try #require(
      decodedPattern(#"{"bodyPatterns": [{"equalToJson": {"a": 1}}]}"#).pattern)
    func sent(_ body: String) throws -> MatchableRequest {
      let body = try bytes(body)
      return MatchableRequest(
        method: "POST", url: "/", headers: ["content-ENCODING": "gzip"], body: body)
    }
    #expect(try pattern.matches(sent(Self.gzip)))
    let wrong = try sent("eyJhIjoxfQ==")
    // Matched as it was sent: no header changes what the bytes are.
    #expect(try pattern.matches(wrong))
    let other = try #require(decodedPattern(#"{"bodyPatterns": [{"equalTo": "x"}]}"#).pattern)
    #expect(
      other.differences(from: wrong).map(\.got) == [
        #"{"a":1} (as it was sent: the body isn't valid gzip)"#
      ])
    let empty = try #require(decodedPattern(#"{"bodyPatterns": [{"absent": true}]}"#).pattern)
    #expect(try empty.matches(sent("H4sIAAAAAAACAwMAAAAAAAAAAAA=")))
  }
}
