import Foundation
import JSON

/// How a request ended for the app.
package enum RequestEnd: Sendable, Equatable {
  /// With a response of this HTTP status.
  case status(Int)
  /// With an error, by the name of its `URLError.Code`; `cancelled` is one.
  case error(String)

  /// The app cancelled the request before it was answered. It was sent all the same.
  package static let cancelled = RequestEnd.error("cancelled")
}

/// A request that went through the app's `URLSession`: one line of the store, and a later one for
/// its end.
package struct RecordedRequest: Sendable, Equatable {
  /// Who answered a recorded request.
  package enum Answer: String, Sendable {
    /// A stub.
    case stub
    /// Nobody: `200` with an empty body.
    case `default`
    /// The network was set to offline.
    case offline
    /// An error came in place of an answer: a stub's fault or `urlError`, or an injected one.
    case fault
  }

  /// The method of a URL that the app hands to the system, which is no request of its own.
  package static let openMethod = "OPEN"

  /// The absolute URL exactly as sent.
  package var url: String
  package var method: String?
  package var headers: [String: String]
  package var body: [UInt8]?
  /// The index of the action in hand when the request was caused; 0 is the launch.
  package var action: Int?
  /// Wall time: seconds since the process was launched.
  package var time: Double?
  /// The app's clock: seconds since its start date.
  package var clock: Double?
  /// Who answered, or was about to when the app cancelled the request.
  package var answer: Answer?
  /// `nil` where the store has no end: the request arrived.
  package var end: RequestEnd?
  /// How many requests behind this one in its file were sent before it ended.
  package var overlap = 0

  /// Whether the method is `GET`, as it is where none is recorded.
  package var isGet: Bool { (method ?? "GET") == "GET" }

  package init(
    url: String, method: String? = nil, headers: [String: String] = [:], body: [UInt8]? = nil,
    action: Int? = nil, time: Double? = nil, clock: Double? = nil, answer: Answer? = nil,
    end: RequestEnd? = nil
  ) {
    self.url = url
    self.method = method
    self.headers = headers
    self.body = body
    self.action = action
    self.time = time
    self.clock = clock
    self.answer = answer
    self.end = end
  }
}

// MARK: - Lines

extension RecordedRequest {
  /// The line of the request, newline included.
  ///
  /// The same request always gives the same bytes: headers are sorted by name.
  package var line: [UInt8] {
    let text = body.flatMap { String(validating: $0, as: UTF8.self) }
    let isBinary = body != nil && text == nil
    let members: JSONValue = [
      "url": .string(url), "method": method.map(JSONValue.string),
      "headers": headers.isEmpty ? nil : .object(sortedHeaders), "body": text.map(JSONValue.string),
      "bodyBase64": isBinary ? body.map { .string(Data($0).base64EncodedString()) } : nil,
      "action": action.map(JSONValue.integer), "time": Self.number(time),
      "clock": Self.number(clock), "answer": answer.map { .string($0.rawValue) },
    ]
    return members.bytes() + [UInt8(ascii: "\n")]
  }

  private var sortedHeaders: JSONObject {
    JSONObject(
      headers.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
        .map { ($0.key, .string($0.value)) })
  }

  /// Left out where it isn't finite.
  private static func number(_ value: Double?) -> JSONValue? {
    value.flatMap { JSONNumber($0) }.map(JSONValue.number)
  }
}

extension RequestEnd {
  /// The line of a request's end, newline included.
  ///
  /// - Parameter number: the request's number in its file, from 1.
  package func line(ofRequest number: Int) -> [UInt8] {
    var members: JSONObject = ["ends": .integer(number)]
    switch self {
    case .status(let status): members["status"] = .integer(status)
    case .error(let name): members["error"] = .string(name)
    }
    return JSONValue.object(members).bytes() + [UInt8(ascii: "\n")]
  }
}
