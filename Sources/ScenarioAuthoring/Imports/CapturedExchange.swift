import Foundation
import HarnessProtocol
import JSON
import RequestMatching

/// An entry of a capture as its request is seen by what looks for tracking.
struct CapturedExchange {
  let json: JSONValue

  init(_ json: JSONValue) { self.json = json }

  private var sentRequest: JSONValue { json["request"] ?? .null }
  var response: JSONValue { json["response"] ?? .null }
  private var method: String { sentRequest["method"]?.string ?? "GET" }
  private var url: String { sentRequest["url"]?.string ?? "" }

  /// In small letters; empty where the URL has none.
  var host: String {
    String(decoding: RequestURL(url).host ?? [], as: UTF8.self).lowercased()
  }

  /// A request that was aborted has the status 0; a switch of protocols (101) isn't an answer.
  var isAnswered: Bool {
    (response["status"]?.int ?? 0) >= 200 && sentRequest["method"]?.string != nil
      && sentRequest["url"]?.string != nil
  }

  /// Its method and its URL up to the query.
  var title: String {
    "\(method) " + String(decoding: RequestURL(url).upToPath, as: UTF8.self)
  }

  /// When it was sent, in seconds since 1970; `nil` where that can't be read.
  var startedAt: Double? { json["startedDateTime"].flatMap(EventTime.init)?.seconds }

  var request: MatchableRequest { MatchableRequest(recorded) }

  /// As an app sends it: Foundation escapes what a URL can't have, and writes methods in capitals.
  var recorded: RecordedRequest {
    let isPlain = url.utf8.allSatisfy {
      $0 > 0x20 && $0 < 0x7F && !#""<>[]\^`{|}"#.utf8.contains($0)
    }
    let sent = isPlain ? url : URL(string: url)?.absoluteString ?? url
    return RecordedRequest(url: sent, method: method.uppercased(), headers: codings, body: body)
  }

  /// The entry with what an expectation may say of it alone.
  var sent: JSONValue {
    [
      "startedDateTime": json["startedDateTime"],
      "request": [
        "method": sentRequest["method"], "url": sentRequest["url"],
        "postData": sentRequest["postData"],
      ],
    ]
  }

  /// Of the body; exporters decode what was zipped as they like.
  private var codings: [String: String] {
    let isZipped = body?.starts(with: [0x1F, 0x8B]) == true
    return isZipped ? ["Content-Encoding": "gzip"] : [:]
  }

  private var body: [UInt8]? {
    let data = sentRequest["postData"] ?? .null
    if let text = data["text"]?.string, !text.isEmpty {
      // Not of the standard, but written by Chrome for bodies that aren't text.
      let isEncoded = data["encoding"]?.string?.lowercased() == "base64"
      return isEncoded ? Data(base64Encoded: text).map { Array($0) } : Array(text.utf8)
    }
    let items = (data["params"]?.array ?? []).compactMap { item in
      item["name"]?.string.map { "\($0)=\(item["value"]?.string ?? "")" }
    }
    return items.isEmpty ? nil : Array(items.joined(separator: "&").utf8)
  }
}
