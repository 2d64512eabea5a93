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
    guard let body else { return line(body: nil) }
    return body.withUnsafeBufferPointer { line(body: $0) }
  }

  private func line(body: UnsafeBufferPointer<UInt8>?) -> [UInt8] {
    var pieces = RecordedLinePieces(self, body: body)
    var line: [UInt8] = []
    while let piece = pieces.next() { line += piece }
    return line
  }
}

/// The line of a request, newline included, cut into pieces, so that a large body is in memory only once.
///
/// Most lines are one piece.
struct RecordedLinePieces: IteratorProtocol {
  private let request: RecordedRequest
  private let body: UnsafeBufferPointer<UInt8>?
  private let isText: Bool
  /// How much of the body has been written.
  private var offset = 0
  private var hasBegun = false
  private var hasEnded = false

  /// About so long is a piece, in bytes.
  private static let pieceBytes = 1 << 20
  /// So much of a body is encoded at once, in bytes: Base64 takes three at a time.
  private static let stepBytes = 3 << 14

  /// - Parameter body: stands for the request's own; it must outlive the pieces.
  init(_ request: RecordedRequest, body: UnsafeBufferPointer<UInt8>?) {
    self.request = request
    self.body = body
    isText = body?.isValidUTF8 ?? true
  }

  mutating func next() -> [UInt8]? {
    guard !hasEnded else { return nil }
    var writer = JSONWriter()
    if !hasBegun {
      writer.bytes.reserveCapacity(request.url.utf8.count + 256)
      request.writeHead(&writer)
      if body != nil { writer.append(raw: isText ? #","body":""# : #","bodyBase64":""#) }
      hasBegun = true
    }
    if let body {
      while offset < body.count, writer.bytes.count < Self.pieceBytes { step(body, &writer) }
      guard offset == body.count else { return writer.bytes }
      writer.append(raw: #"""#)
    }
    request.writeTail(&writer)
    hasEnded = true
    return writer.bytes
  }

  private mutating func step(
    _ body: UnsafeBufferPointer<UInt8>, _ writer: inout JSONWriter
  ) {
    let end = min(offset + Self.stepBytes, body.count)
    let step = UnsafeBufferPointer(rebasing: body[offset..<end])
    if isText {
      writer.append(escaping: step)
    } else {
      writer.bytes += Data(step).base64EncodedData()
    }
    offset = end
  }
}

// Member by member: an app waits for each line, and a value that is made first takes three times as long.

extension RecordedRequest {
  /// The beginning of the object, up to the body.
  fileprivate func writeHead(_ writer: inout JSONWriter) {
    writer.append(raw: #"{"url":"#)
    writer.append(string: url)
    if let method {
      writer.append(raw: #","method":"#)
      writer.append(string: method)
    }
    guard !headers.isEmpty else { return }
    writer.append(raw: #","headers":"#)
    let sorted = headers.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    writer.append(.object(JSONObject(sorted.map { ($0.key, .string($0.value)) })))
  }

  /// The rest; numbers that aren't finite are left out.
  fileprivate func writeTail(_ writer: inout JSONWriter) {
    if let action {
      writer.append(raw: #","action":"#)
      writer.append(integer: action)
    }
    for case (let key, let seconds?) in [(#","time":"#, time), (#","clock":"#, clock)]
      as [(StaticString, Double?)] where seconds.isFinite
    {
      writer.append(raw: key)
      writer.bytes += seconds.description.utf8
    }
    if let answer {
      writer.append(raw: #","answer":"#)
      writer.append(string: answer.rawValue)
    }
    writer.append(raw: "}\n")
  }
}

extension RequestEnd {
  /// The line of a request's end, newline included.
  ///
  /// - Parameter number: the request's number in its file, from 1.
  package func line(ofRequest number: Int) -> [UInt8] {
    var writer = JSONWriter()
    writer.append(raw: #"{"ends":"#)
    writer.append(integer: number)
    switch self {
    case .status(let status):
      writer.append(raw: #","status":"#)
      writer.append(integer: status)
    case .error(let name):
      writer.append(raw: #","error":"#)
      writer.append(string: name)
    }
    writer.append(raw: "}\n")
    return writer.bytes
  }
}
