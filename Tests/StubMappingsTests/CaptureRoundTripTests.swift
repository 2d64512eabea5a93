import Foundation
import RequestMatching
import SourceText
import Testing

@testable import StubMappings

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite("Captures: what an app sends again is answered as it was")
struct CaptureRoundTripTests {
  @Test("Every entry with an answer replays", arguments: CaptureFiles.all)
  func everyEntry(_ path: String) throws {
    let trip = try RoundTrip(CaptureFiles.bytes(path))
    #expect(trip.answered > 0, "The capture has nothing to replay.")
    #expect(trip.misses.isEmpty, "\(trip.answered - trip.misses.count) of \(trip.answered) replay")
  }

  @Test(
    "Every entry of the captures beside the repository replays",
    .enabled(if: CaptureFiles.hasShared, "the captures beside the repository are missing"),
    arguments: CaptureFiles.files(in: CaptureFiles.sharedFolder))
  func shared(_ path: String) throws { try everyEntry(path) }

  /// For captures that can't be published: `CAPTURES=folder swift test --filter everyEntryOfAFolder`.
  @Test(
    "Every entry of the captures in the folder that CAPTURES names replays",
    .enabled(if: CaptureFiles.givenFolder != nil, "CAPTURES names no folder"))
  func everyEntryOfAFolder() throws {
    var (answered, missed) = (0, 0)
    for path in CaptureFiles.files(in: try #require(CaptureFiles.givenFolder)) {
      let trip: RoundTrip
      do { trip = try RoundTrip(CaptureFiles.bytes(path)) } catch {
        print("\(path): not a capture: \(error)")
        continue
      }
      answered += trip.answered
      missed += trip.misses.count
      for miss in trip.misses { print("\(path): \(miss)") }
    }
    print("\(answered - missed) of \(answered) entries replay")
    #expect(missed == 0)
  }
}

/// Sends the requests of a capture once more, in their order, as an app builds them.
///
/// The capture is read by Foundation: whoever makes a mistake, it isn't the same one.
private struct RoundTrip {
  private(set) var answered = 0
  /// Requests whose answer isn't the captured one.
  private(set) var misses: [String] = []

  init(_ bytes: [UInt8]) throws {
    let entries = try Self.entries(bytes)
    let capture = try bytes.withUnsafeBufferPointer { buffer throws(HARFault) in
      try HARCapture(StubFile(SourceFile(path: "x.har", bytes: bytes)), bytes: buffer)
    }
    let replay = StubReplay(StubSet(stubs: [], captures: [capture]))
    for entry in entries {
      guard let asked = entry["request"] as? [String: Any],
        let answer = entry["response"] as? [String: Any],
        let status = answer["status"] as? Int, status >= 200,
        let request = Self.request(asked)
      else { continue }
      answered += 1
      let line = "\(request.httpMethod ?? "") \(asked["url"] ?? "")"
      do {
        let message = try replay.answer(to: Self.matchable(request))?.outcome
        if message != .message(try Self.message(status, answer, like: message)) {
          misses.append("\(line): \(message == nil ? "no answer" : "another answer")")
        }
      } catch {
        misses.append("\(line): \(error)")
      }
    }
  }

  private static func entries(_ bytes: [UInt8]) throws -> [[String: Any]] {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let text = bytes.starts(with: mark) ? Data(bytes.dropFirst(3)) : Data(bytes)
    let root = try JSONSerialization.jsonObject(with: text) as? [String: Any]
    guard let log = root?["log"] as? [String: Any], let entries = log["entries"] as? [[String: Any]]
    else { throw HARFault("no entries", at: 0) }
    let dates = entries.map { ($0["startedDateTime"] as? String).flatMap(HAREntry.date) }
    guard !dates.contains(nil) else { return entries }
    return zip(dates.compactMap { $0 }, entries.indices).sorted { $0 < $1 }.map { entries[$0.1] }
  }

  /// - Returns: `nil` for a URL that no app can make a request of.
  private static func request(_ captured: [String: Any]) -> URLRequest? {
    guard let url = (captured["url"] as? String).flatMap({ URL(string: $0) }), url.host != nil
    else { return nil }
    var request = URLRequest(url: url)
    request.httpMethod = captured["method"] as? String
    request.httpBody = (captured["postData"] as? [String: Any]).flatMap(body)
    return request
  }

  private static func body(_ captured: [String: Any]) -> Data? {
    if let text = captured["text"] as? String, !text.isEmpty {
      return captured["encoding"] as? String == "base64"
        ? Data(base64Encoded: text) : Data(text.utf8)
    }
    guard let parameters = captured["params"] as? [[String: Any]], !parameters.isEmpty
    else { return nil }
    let pairs = parameters.map { ($0["name"] as? String ?? "", $0["value"] ?? "") }
    if (captured["mimeType"] as? String ?? "").contains("json") {
      return try? JSONSerialization.data(
        withJSONObject: Dictionary(pairs, uniquingKeysWith: { $1 }))
    }
    var form = URLComponents()
    form.queryItems = pairs.map { URLQueryItem(name: $0.0, value: "\($0.1)") }
    // In a form, a plus sign stands for a space.
    return form.percentEncodedQuery.map {
      Data($0.replacingOccurrences(of: "+", with: "%2B").utf8)
    }
  }

  private static func matchable(_ request: URLRequest) -> MatchableRequest {
    MatchableRequest(
      method: request.httpMethod, url: request.url?.absoluteString ?? "",
      body: request.httpBody.map(Array.init))
  }

  /// The captured answer; its headers are another test's.
  private static func message(
    _ status: Int, _ answer: [String: Any], like other: StubResponse.Outcome?
  ) throws -> StubMessage {
    var headers: [StubHeader] = []
    if case .message(let message)? = other { headers = message.headers }
    let content = answer["content"] as? [String: Any]
    let text = content?["text"] as? String ?? ""
    let isBase64 = content?["encoding"] as? String == "base64"
    let body = isBase64 ? Data(base64Encoded: text) : Data(text.utf8)
    return StubMessage(status: status, headers: headers, body: .bytes(Array(try #require(body))))
  }
}
