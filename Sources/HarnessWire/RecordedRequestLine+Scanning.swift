import Foundation

extension RecordedRequestLine {
  /// Checks the whole line; its newline is not part of the range.
  package init(scanning buffer: [UInt8], _ range: Range<Int>) throws(RecordedLineFault) {
    self.init(buffer: buffer)
    let line = try buffer.withUnsafeBufferPointer { bytes throws(RecordedLineFault) in
      try Self.scan(bytes, range, into: self)
    }
    self = line
  }

  private static func scan(
    _ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, into line: RecordedRequestLine
  ) throws(RecordedLineFault) -> RecordedRequestLine {
    var line = line
    var scanner = RecordedLineScanner(bytes: bytes, range: range)
    scanner.skipSpace()
    guard let first = scanner.peek else { throw .empty }
    guard first == UInt8(ascii: "{") else {
      line.urlText = Text(range: try bareURL(bytes, range))
      line.isBare = true
      return line
    }
    var seen = KeySet()
    try scanner.object { scanner, name throws(RecordedLineFault) in
      guard let key = scanner.key(name) else { return try scanner.skipValue() }
      guard seen.insert(key) else { throw .doubledKey(key.rawValue) }
      // Many encoders write null for what is not there.
      if key != .url, try scanner.takeNull() { return }
      try line.take(key, &scanner)
    }
    try scanner.finish()
    if !seen.contains(.url) { throw .missingURL }
    return line
  }

  private mutating func take(
    _ key: Key, _ scanner: inout RecordedLineScanner
  ) throws(RecordedLineFault) {
    switch key {
    case .url: urlText = try scanner.text(of: key)
    case .method: methodText = try scanner.text(of: key)
    case .headers: headersRange = try scanner.headersRange()
    case .body: try takeBody(scanner.string(of: key))
    case .bodyBase64:
      try takeBody(scanner.base64(of: key))
      isBodyBase64 = true
    case .action: action = try scanner.wholeNumber(of: key)
    case .time: timeRange = try scanner.number(of: key)
    case .answer: answer = try scanner.answer()
    case .request: ordinal = try scanner.wholeNumber(of: key)
    }
  }

  /// A request has one body at most.
  private mutating func takeBody(_ text: Text) throws(RecordedLineFault) {
    guard bodyText == nil else { throw .wrongValue(Key.bodyBase64.rawValue) }
    bodyText = text
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
}

extension RecordedRequestLine {
  /// The keys of the contract, and the number that the kit adds.
  enum Key: String, CaseIterable {
    case url, method, headers, body, bodyBase64, action, time, answer, request
  }

  /// The keys that were there, one bit for each.
  private struct KeySet {
    private var bits = 0

    mutating func insert(_ key: Key) -> Bool {
      defer { bits |= bit(key) }
      return !contains(key)
    }

    func contains(_ key: Key) -> Bool { bits & bit(key) != 0 }

    private func bit(_ key: Key) -> Int {
      switch key {
      case .url: 1
      case .method: 2
      case .headers: 4
      case .body: 8
      case .bodyBase64: 16
      case .action: 32
      case .time: 64
      case .answer: 128
      case .request: 256
      }
    }
  }
}
