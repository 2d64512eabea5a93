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
    case 3: return isKey(name, "url") ? .url : nil
    case 4: return isKey(name, "body") ? .body : isKey(name, "time") ? .time : nil
    case 6: return isKey(name, "action") ? .action : sixLetterKey(name)
    case 7: return isKey(name, "headers") ? .headers : isKey(name, "request") ? .request : nil
    case 10: return isKey(name, "bodyBase64") ? .bodyBase64 : nil
    default: return nil
    }
  }

  private func sixLetterKey(_ name: Text) -> Key? {
    isKey(name, "method") ? .method : isKey(name, "answer") ? .answer : nil
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
    guard let next = peek, next == UInt8(ascii: "-") || (0x30...0x39).contains(next) else {
      throw .wrongValue(key.rawValue)
    }
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
