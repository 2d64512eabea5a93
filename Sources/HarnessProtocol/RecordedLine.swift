import Foundation
import JSON

/// A line of the store: a request, or the end of an earlier one.
package enum RecordedLine: Sendable {
  case request(RecordedRequestLine)
  /// The end of a request, by its number in the file, from 1.
  case end(of: Int, RequestEnd)

  /// Checks the whole line; its newline is not part of the range.
  package init(scanning buffer: [UInt8], _ range: Range<Int>) throws(RecordedLineFault) {
    var members = LineMembers(buffer: buffer)
    do {
      try buffer.withUnsafeBufferPointer { try members.scan($0, range) }
    } catch let fault as RecordedLineFault {
      throw fault
    } catch {
      throw (error as? JSONError)?.reason == .invalidUTF8 ? .notUTF8 : .notJSON
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
}

/// The keys of the contract.
private enum Key: Int, CaseIterable {
  case url, method, headers, body, bodyBase64, action, time, clock, answer
  /// Those of a request's end; in a request's line these are keys that don't matter.
  case ends, status, error

  var name: String { "\(self)" }
}

/// What a line says, key by key.
///
/// Not as a `JSONValue`, which takes half as long again before anything is decoded: what isn't looked
/// at later is checked and not decoded.
private struct LineMembers {
  private var request: RecordedRequestLine
  /// One bit for each key that was there.
  private var seen = 0
  private var ends: Int?
  /// Where the values are.
  private var status: Range<Int>?
  private var error: Range<Int>?

  init(buffer: [UInt8]) {
    request = RecordedRequestLine(buffer: buffer)
  }

  mutating func scan(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) throws {
    var reader = JSONReader(bytes, in: range, limits: JSONLimits(depth: 64))
    reader.skipSpace()
    guard let first = reader.peek else { throw RecordedLineFault.empty }
    guard first == UInt8(ascii: "{") else {
      request.urlText = .init(range: try Self.bareURL(bytes, range))
      request.isBare = true
      return
    }
    try reader.enterObject()
    while let name = try reader.nextKey() {
      guard let key = reader.key(name) else {
        try reader.skipValue()
        continue
      }
      guard !has(key) else { throw RecordedLineFault.doubledKey(key.name) }
      seen |= 1 << key.rawValue
      // Many encoders write null for what is not there.
      if key != .url, try reader.nextKind() == .null {
        try reader.null()
      } else {
        try take(key, &reader)
      }
    }
    try reader.finish()
  }

  private func has(_ key: Key) -> Bool { seen & 1 << key.rawValue != 0 }

  private mutating func take(_ key: Key, _ reader: inout JSONReader) throws {
    switch key {
    case .url: request.urlText = try reader.nonEmptyString(of: key)
    case .method: request.methodText = try reader.nonEmptyString(of: key)
    case .headers: request.headersRange = try reader.headersRange()
    case .body, .bodyBase64:
      // A request has one body at most.
      guard request.bodyText == nil else {
        throw RecordedLineFault.wrongValue(Key.bodyBase64.name)
      }
      request.isBodyBase64 = key == .bodyBase64
      request.bodyText = try key == .body ? reader.string(of: key) : reader.base64(of: key)
    case .action: request.action = try reader.wholeNumber(of: key)
    case .time: request.timeRange = try reader.number(of: key)
    case .clock: request.clockRange = try reader.number(of: key)
    case .answer:
      let text = try reader.string(of: key)
      request.answer = RecordedRequest.Answer(rawValue: reader.decoded(text))
      if request.answer == nil { throw RecordedLineFault.wrongValue(key.name) }
    case .ends: ends = try reader.wholeNumber(of: key)
    case .status: status = try reader.skipValue()
    case .error: error = try reader.skipValue()
    }
  }

  consuming func line() throws(RecordedLineFault) -> RecordedLine {
    if let ends { return .end(of: ends, try end()) }
    guard request.isBare || has(.url) else { throw .missingURL }
    guard request.withURLBytes(Self.isAbsolute) else { throw .relativeURL }
    return .request(request)
  }

  /// One of a status of HTTP and an error that is a string, not empty.
  private func end() throws(RecordedLineFault) -> RequestEnd {
    switch (status, error) {
    case (let range?, nil) where !has(.url):
      if let status = request.buffer[range].wholeNumber, (100...999).contains(status) {
        return .status(status)
      }
    case (nil, let range?) where !has(.url):
      let text = request.buffer[range]
      guard text.first == UInt8(ascii: "\""), text.count > 2 else { break }
      let hasEscapes = text.contains(UInt8(ascii: "\\"))
      return .error(
        request.string(
          .init(range: range.lowerBound + 1..<range.upperBound - 1, hasEscapes: hasEscapes)))
    default: break
    }
    throw .malformedEnd
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

extension Collection<UInt8> {
  /// From 0, of at most 18 digits.
  fileprivate var wholeNumber: Int? {
    guard count <= 18 else { return nil }
    var value = 0
    for byte in self {
      guard (0x30...0x39).contains(byte) else { return nil }
      value = value * 10 + Int(byte - UInt8(ascii: "0"))
    }
    return value
  }
}

// MARK: - The values of the contract's keys

extension JSONReader {
  fileprivate func key(_ name: Text) -> Key? {
    switch name.range.count {
    case _ where name.hasEscapes:
      Key.allCases.first { $0.name == decoded(name) }
    case 3: key(name, "url", .url)
    case 4: key(name, "body", .body) ?? key(name, "time", .time) ?? key(name, "ends", .ends)
    case 5: key(name, "clock", .clock) ?? key(name, "error", .error)
    case 6:
      key(name, "action", .action) ?? key(name, "method", .method)
        ?? key(name, "answer", .answer) ?? key(name, "status", .status)
    case 7: key(name, "headers", .headers)
    case 10: key(name, "bodyBase64", .bodyBase64)
    default: nil
    }
  }

  private func key(_ name: Text, _ text: StaticString, _ key: Key) -> Key? {
    isEqual(name, text) ? key : nil
  }

  private mutating func expect(_ kind: Kind, of key: Key) throws {
    guard try nextKind() == kind else { throw RecordedLineFault.wrongValue(key.name) }
  }

  fileprivate mutating func string(of key: Key) throws -> Text {
    try expect(.string, of: key)
    return try string()
  }

  fileprivate mutating func nonEmptyString(of key: Key) throws -> Text {
    let text = try string(of: key)
    if text.range.isEmpty { throw RecordedLineFault.wrongValue(key.name) }
    return text
  }

  fileprivate mutating func base64(of key: Key) throws -> Text {
    let text = try string(of: key)
    // An escaped slash is all that an encoder could write with a backslash; nobody does.
    guard !text.hasEscapes, Base64Steps.decode(slice(text.range), { _ in }) else {
      throw RecordedLineFault.wrongValue(key.name)
    }
    return text
  }

  fileprivate mutating func number(of key: Key) throws -> Range<Int> {
    try expect(.number, of: key)
    return try number()
  }

  fileprivate mutating func wholeNumber(of key: Key) throws -> Int {
    guard let value = slice(try number(of: key)).wholeNumber else {
      throw RecordedLineFault.wrongValue(key.name)
    }
    return value
  }

  /// Names in another case are others; both are kept. Those that Unicode takes for the same can't be: a
  /// dictionary has one of them.
  fileprivate mutating func headersRange() throws -> Range<Int> {
    try expect(.object, of: .headers)
    var before = self
    var (last, isSorted) = (Text?.none, true)
    try headers { [before] name, _ in
      isSorted = isSorted && before.goes(last, before: name)
      last = name
    }
    let range = before.offset..<offset
    // As the kit writes them: none of them can be there twice.
    if isSorted { return range }
    var names: Set<String> = []
    try before.headers { [self] name, _ in
      guard names.insert(decoded(name)).inserted else {
        throw RecordedLineFault.doubledKey(decoded(name))
      }
    }
    return range
  }

  /// Whether a name is plain and comes after the one before it.
  private func goes(_ last: Text?, before name: Text) -> Bool {
    guard !name.hasEscapes, slice(name.range).allSatisfy({ $0 < 0x80 }) else { return false }
    return last.map { slice($0.range).lexicographicallyPrecedes(slice(name.range)) } ?? true
  }

  mutating func headers(_ header: (Text, Text) throws -> Void) throws {
    try enterObject()
    while let name = try nextKey() { try header(name, try string(of: .headers)) }
  }
}
