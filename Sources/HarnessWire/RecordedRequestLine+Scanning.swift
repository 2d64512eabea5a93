import Foundation

/// A line of the store: a request, or the end of an earlier one.
package enum RecordedLine: Sendable {
  case request(RecordedRequestLine)
  /// The end of a request, by its number in the file, from 1.
  case end(of: Int, RequestEnd)

  /// Checks the whole line; its newline is not part of the range.
  package init(scanning buffer: [UInt8], _ range: Range<Int>) throws(RecordedLineFault) {
    var members = LineMembers(buffer: buffer)
    members = try buffer.withUnsafeBufferPointer { bytes throws(RecordedLineFault) in
      try members.scanned(bytes, range)
    }
    self = try members.line()
  }
}

extension RecordedRequestLine {
  /// Checks a line that has to be a request's.
  package init(scanning buffer: [UInt8], _ range: Range<Int>) throws(RecordedLineFault) {
    guard case .request(let line) = try RecordedLine(scanning: buffer, range) else {
      throw .missingURL
    }
    self = line
  }

  /// The keys of the contract.
  enum Key: String, CaseIterable {
    case url, method, headers, body, bodyBase64, action, time, clock, answer
    /// Those of a request's end.
    case ends, status, error
  }
}

/// What a line says, key by key.
private struct LineMembers {
  typealias Key = RecordedRequestLine.Key

  private var request: RecordedRequestLine
  private var seen = KeySet()
  private var ends: Int?
  private var status: Int?
  private var error: RecordedRequestLine.Text?
  /// Whether a status or an error is there that can't be one.
  private var isEndMalformed = false

  init(buffer: [UInt8]) {
    request = RecordedRequestLine(buffer: buffer)
  }

  func scanned(
    _ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>
  ) throws(RecordedLineFault) -> LineMembers {
    var members = self
    var scanner = RecordedLineScanner(bytes: bytes, range: range)
    scanner.skipSpace()
    guard let first = scanner.peek else { throw .empty }
    guard first == UInt8(ascii: "{") else {
      members.request.urlText = .init(range: try Self.bareURL(bytes, range))
      members.request.isBare = true
      return members
    }
    try scanner.object { scanner, name throws(RecordedLineFault) in
      guard let key = scanner.key(name) else { return try scanner.skipValue() }
      guard members.seen.insert(key) else { throw .doubledKey(key.rawValue) }
      // Many encoders write null for what is not there.
      if key != .url, try scanner.takeNull() { return }
      try members.take(key, &scanner)
    }
    try scanner.finish()
    return members
  }

  func line() throws(RecordedLineFault) -> RecordedLine {
    if let ends { return .end(of: ends, try end()) }
    guard request.isBare || seen.contains(.url) else { throw .missingURL }
    guard request.withURLBytes(Self.isAbsolute) else { throw .relativeURL }
    return .request(request)
  }

  private func end() throws(RecordedLineFault) -> RequestEnd {
    guard !seen.contains(.url), !isEndMalformed else { throw .malformedEnd }
    switch (status, error) {
    case (let status?, nil): return .status(status)
    case (nil, let error?): return .error(request.string(error))
    default: throw .malformedEnd
    }
  }

  private mutating func take(
    _ key: Key, _ scanner: inout RecordedLineScanner
  ) throws(RecordedLineFault) {
    switch key {
    case .url: request.urlText = try scanner.text(of: key)
    case .method: request.methodText = try scanner.text(of: key)
    case .headers: request.headersRange = try scanner.headersRange()
    case .body: try takeBody(scanner.string(of: key))
    case .bodyBase64:
      try takeBody(scanner.base64(of: key))
      request.isBodyBase64 = true
    case .action: request.action = try scanner.wholeNumber(of: key)
    case .time: request.timeRange = try scanner.number(of: key)
    case .clock: request.clockRange = try scanner.number(of: key)
    case .answer: request.answer = try scanner.answer()
    case .ends: ends = try scanner.wholeNumber(of: key)
    // In a request's line these are keys that don't matter.
    case .status:
      status = try scanner.status()
      if status == nil { isEndMalformed = true }
    case .error:
      error = try scanner.nonEmptyString()
      if error == nil { isEndMalformed = true }
    }
  }

  /// A request has one body at most.
  private mutating func takeBody(
    _ text: RecordedRequestLine.Text
  ) throws(RecordedLineFault) {
    guard request.bodyText == nil else { throw .wrongValue(Key.bodyBase64.rawValue) }
    request.bodyText = text
  }

  /// White space, quotation marks and control characters are in no URL: the line is torn, or
  /// something else wrote into the file.
  private static func bareURL(
    _ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>
  ) throws(RecordedLineFault) -> Range<Int> {
    let url = UnsafeBufferPointer(rebasing: bytes[range])
    if url.contains(where: { $0 <= 0x20 || $0 == 0x7F || $0 == UInt8(ascii: "\"") }) {
      throw .notAURL
    }
    if String(validating: url, as: UTF8.self) == nil { throw .notUTF8 }
    return range
  }

  /// Whether a URL begins with a scheme and doesn't end with it (RFC 3986, 3.1).
  private static func isAbsolute(_ url: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let colon = url.firstIndex(of: UInt8(ascii: ":")), colon > 0, colon + 1 < url.count,
      isLetter(url[0])
    else { return false }
    return !isHostWithPort(url, colon)
      && url[..<colon].allSatisfy { byte in
        isLetter(byte) || isDigit(byte) || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-")
          || byte == UInt8(ascii: ".")
      }
  }

  /// Whether a URL lacks its scheme and only looks as if it had one: `a.example.com:8080/click`.
  private static func isHostWithPort(_ url: UnsafeBufferPointer<UInt8>, _ colon: Int) -> Bool {
    guard isDigit(url[colon + 1]) else { return false }
    let host = url[..<colon]
    return host.contains(UInt8(ascii: ".")) || host.elementsEqual("localhost".utf8)
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }
}

/// The keys that were there, one bit for each.
private struct KeySet {
  private var bits = 0

  mutating func insert(_ key: RecordedRequestLine.Key) -> Bool {
    defer { bits |= bit(key) }
    return !contains(key)
  }

  func contains(_ key: RecordedRequestLine.Key) -> Bool { bits & bit(key) != 0 }

  private func bit(_ key: RecordedRequestLine.Key) -> Int {
    switch key {
    case .url: 1
    case .method: 2
    case .headers: 4
    case .body: 8
    case .bodyBase64: 16
    case .action: 32
    case .time: 64
    case .clock: 128
    case .answer: 256
    case .ends: 512
    case .status: 1024
    case .error: 2048
    }
  }
}
