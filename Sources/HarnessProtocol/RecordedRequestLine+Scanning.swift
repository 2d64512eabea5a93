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

  /// The keys of the contract.
  enum Key: Int, CaseIterable {
    case url, method, headers, body, bodyBase64, action, time, clock, answer
    /// Those of a request's end.
    case ends, status, error

    var name: String { "\(self)" }
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
      guard seen.insert(key) else { throw RecordedLineFault.doubledKey(key.name) }
      // Many encoders write null for what is not there.
      if key != .url, try reader.nextKind() == .null {
        try reader.null()
      } else {
        try take(key, &reader)
      }
    }
    try reader.finish()
  }

  consuming func line() throws(RecordedLineFault) -> RecordedLine {
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

  private mutating func take(_ key: Key, _ reader: inout JSONReader) throws {
    switch key {
    case .url: request.urlText = try reader.text(of: key)
    case .method: request.methodText = try reader.text(of: key)
    case .headers: request.headersRange = try reader.headersRange()
    case .body: try takeBody(reader.string(of: key))
    case .bodyBase64:
      try takeBody(reader.base64(of: key))
      request.isBodyBase64 = true
    case .action: request.action = try reader.wholeNumber(of: key)
    case .time: request.timeRange = try reader.number(of: key)
    case .clock: request.clockRange = try reader.number(of: key)
    case .answer: request.answer = try reader.answer()
    case .ends: ends = try reader.wholeNumber(of: key)
    // In a request's line these are keys that don't matter.
    case .status:
      status = try reader.status()
      if status == nil { isEndMalformed = true }
    case .error:
      error = try reader.nonEmptyString()
      if error == nil { isEndMalformed = true }
    }
  }

  /// A request has one body at most.
  private mutating func takeBody(
    _ text: RecordedRequestLine.Text
  ) throws(RecordedLineFault) {
    guard request.bodyText == nil else { throw .wrongValue(Key.bodyBase64.name) }
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

  private func bit(_ key: RecordedRequestLine.Key) -> Int { 1 << key.rawValue }
}

// MARK: - The values of the contract's keys

extension JSONReader {
  fileprivate typealias Key = RecordedRequestLine.Key

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

  fileprivate mutating func expect(_ kind: Kind, of key: Key) throws {
    guard try nextKind() == kind else { throw RecordedLineFault.wrongValue(key.name) }
  }

  fileprivate mutating func string(of key: Key) throws -> Text {
    try expect(.string, of: key)
    return try string()
  }

  /// A string that is not empty.
  fileprivate mutating func text(of key: Key) throws -> Text {
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
    guard let value = wholeNumber(in: try number(of: key)) else {
      throw RecordedLineFault.wrongValue(key.name)
    }
    return value
  }

  /// From 0, of at most 18 digits.
  private func wholeNumber(in range: Range<Int>) -> Int? {
    guard range.count <= 18 else { return nil }
    var value = 0
    for byte in slice(range) {
      guard (0x30...0x39).contains(byte) else { return nil }
      value = value * 10 + Int(byte - UInt8(ascii: "0"))
    }
    return value
  }

  /// A status of HTTP; `nil` for any other value.
  fileprivate mutating func status() throws -> Int? {
    guard try nextKind() == .number else {
      try skipValue()
      return nil
    }
    return wholeNumber(in: try number()).flatMap { (100...999).contains($0) ? $0 : nil }
  }

  /// A string that is not empty; `nil` for any other value.
  fileprivate mutating func nonEmptyString() throws -> Text? {
    guard try nextKind() == .string else {
      try skipValue()
      return nil
    }
    let text = try string()
    return text.range.isEmpty ? nil : text
  }

  fileprivate mutating func headersRange() throws -> Range<Int> {
    try expect(.object, of: .headers)
    let (start, reader) = (offset, self)
    var (last, isSorted) = (Text?.none, true)
    try headers { name, _ in
      isSorted =
        isSorted && reader.isPlain(name) && last.map { reader.goes($0, before: name) } ?? true
      last = name
    }
    // As the kit writes them: none of them can be there twice.
    if !isSorted { try reader.checkNames() }
    return start..<offset
  }

  private consuming func checkNames() throws {
    var reader = self
    var names: [Text] = []
    try reader.headers { name, _ in names.append(name) }
    for (index, name) in names.enumerated()
    where names[..<index].contains(where: { reader.isSame($0, name) }) {
      throw RecordedLineFault.doubledKey(reader.decoded(name))
    }
  }

  private func goes(_ left: Text, before right: Text) -> Bool {
    let common = min(left.range.count, right.range.count)
    let (left, right) = (slice(left.range), slice(right.range))
    guard let first = left.baseAddress, let second = right.baseAddress else {
      return left.count < right.count
    }
    let order = memcmp(first, second, common)
    return order < 0 || order == 0 && left.count < right.count
  }

  /// Names in another case are others; both are kept. Those that Unicode takes for the same can't be: a
  /// dictionary has one of them.
  private func isSame(_ left: Text, _ right: Text) -> Bool {
    isPlain(left) && isPlain(right)
      ? slice(left.range).elementsEqual(slice(right.range)) : decoded(left) == decoded(right)
  }

  private func isPlain(_ text: Text) -> Bool {
    !text.hasEscapes && slice(text.range).allSatisfy { $0 < 0x80 }
  }

  mutating func headers(_ header: (Text, Text) -> Void) throws {
    try enterObject()
    while let name = try nextKey() { header(name, try string(of: .headers)) }
  }

  fileprivate mutating func answer() throws -> RecordedRequest.Answer {
    let text = try string(of: .answer)
    if isEqual(text, "default") { return .default }
    if isEqual(text, "stub") { return .stub }
    if isEqual(text, "offline") { return .offline }
    if isEqual(text, "fault") { return .fault }
    throw RecordedLineFault.wrongValue(Key.answer.name)
  }
}
