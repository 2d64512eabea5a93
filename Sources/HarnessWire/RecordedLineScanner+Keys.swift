import Foundation

/// The values of the contract's keys.
extension RecordedLineScanner {
  typealias Key = RecordedRequestLine.Key

  func key(_ name: Text) -> Key? {
    if name.hasEscapes {
      let bytes = JSONEscapes.decoded(ArraySlice(Array(slice(name.range))))
      return Key(rawValue: String(decoding: bytes, as: UTF8.self))
    }
    switch name.range.count {
    case 3: return key(name, "url", .url)
    case 4: return key(name, "body", .body) ?? key(name, "time", .time) ?? key(name, "ends", .ends)
    case 5: return key(name, "clock", .clock) ?? key(name, "error", .error)
    case 6:
      return key(name, "action", .action) ?? key(name, "method", .method)
        ?? key(name, "answer", .answer) ?? key(name, "status", .status)
    case 7: return key(name, "headers", .headers)
    case 10: return key(name, "bodyBase64", .bodyBase64)
    default: return nil
    }
  }

  private func key(_ name: Text, _ text: StaticString, _ key: Key) -> Key? {
    isKey(name, text) ? key : nil
  }

  mutating func string(of key: Key) throws(RecordedLineFault) -> Text {
    guard peek == UInt8(ascii: "\"") else { throw .wrongValue(key.rawValue) }
    return try string()
  }

  /// A string that is not empty.
  mutating func text(of key: Key) throws(RecordedLineFault) -> Text {
    let text = try string(of: key)
    if text.range.isEmpty { throw .wrongValue(key.rawValue) }
    return text
  }

  mutating func base64(of key: Key) throws(RecordedLineFault) -> Text {
    let text = try string(of: key)
    // An escaped slash is all that an encoder could write with a backslash; nobody does.
    guard !text.hasEscapes, Data(base64Encoded: Data(slice(text.range))) != nil else {
      throw .wrongValue(key.rawValue)
    }
    return text
  }

  mutating func wholeNumber(of key: Key) throws(RecordedLineFault) -> Int {
    try expectNumber(of: key)
    guard let value = try wholeNumber() else { throw .wrongValue(key.rawValue) }
    return value
  }

  mutating func number(of key: Key) throws(RecordedLineFault) -> Range<Int> {
    try expectNumber(of: key)
    return try number()
  }

  private func expectNumber(of key: Key) throws(RecordedLineFault) {
    if !isAtNumber { throw .wrongValue(key.rawValue) }
  }

  private var isAtNumber: Bool {
    peek.map { $0 == UInt8(ascii: "-") || (0x30...0x39).contains($0) } ?? false
  }

  /// A status of HTTP; `nil` for any other value.
  mutating func status() throws(RecordedLineFault) -> Int? {
    guard isAtNumber else {
      try skipValue()
      return nil
    }
    return try wholeNumber().flatMap { (100...999).contains($0) ? $0 : nil }
  }

  /// A string that is not empty; `nil` for any other value.
  mutating func nonEmptyString() throws(RecordedLineFault) -> Text? {
    guard peek == UInt8(ascii: "\"") else {
      try skipValue()
      return nil
    }
    let text = try string()
    return text.range.isEmpty ? nil : text
  }

  mutating func headersRange() throws(RecordedLineFault) -> Range<Int> {
    guard peek == UInt8(ascii: "{") else { throw .wrongValue(Key.headers.rawValue) }
    let start = offset
    try headers { _, _ in }
    return start..<offset
  }

  mutating func answer() throws(RecordedLineFault) -> RecordedRequest.Answer {
    let text = try string(of: .answer)
    if isKey(text, "default") { return .default }
    if isKey(text, "stub") { return .stub }
    if isKey(text, "offline") { return .offline }
    if isKey(text, "fault") { return .fault }
    throw .wrongValue(Key.answer.rawValue)
  }
}
