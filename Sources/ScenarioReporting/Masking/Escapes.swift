/// How one character may be written in a URL, in JSON, in Swift and in XML.
enum Escapes {
  /// What the bytes from a place on may stand for.
  struct Reading {
    var bytes: [UInt8]
    var end: Int
  }

  /// The bytes with which an escape begins.
  static let openers: [UInt8] = [UInt8(ascii: "%"), UInt8(ascii: "\\"), UInt8(ascii: "&")]

  private static let entities: [(name: [UInt8], byte: UInt8)] = [
    ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"),
    ("&#34;", "\""), ("&#39;", "'"), ("&#x27;", "'"),
  ].map { (Array($0.0.utf8), Array($0.1.utf8)[0]) }

  /// How many backslashes may stand before one character.
  private static let nestingLimit = 16

  private static let letters: [UInt8: UInt8] = [
    UInt8(ascii: "n"): 0x0A, UInt8(ascii: "r"): 0x0D, UInt8(ascii: "t"): 0x09,
    UInt8(ascii: "b"): 0x08, UInt8(ascii: "f"): 0x0C,
  ]

  static func readings(of text: UnsafeBufferPointer<UInt8>, at place: Int) -> [Reading] {
    switch text[place] {
    case UInt8(ascii: "%"): percentReadings(text, place)
    case UInt8(ascii: "\\"): backslashReadings(text, place)
    default:
      entities.filter { text[place...].starts(with: $0.name) }
        .map { Reading(bytes: [$0.byte], end: place + $0.name.count) }
    }
  }

  /// `%2F`, and encoded again: `%252F`.
  private static func percentReadings(
    _ text: UnsafeBufferPointer<UInt8>, _ place: Int
  ) -> [Reading] {
    var readings: [Reading] = []
    var digits = place + 1
    while let value = hexadecimal(text, digits..<digits + 2) {
      readings.append(Reading(bytes: [UInt8(truncatingIfNeeded: value)], end: digits + 2))
      guard value == UInt32(UInt8(ascii: "%")) else { break }
      digits += 2
    }
    return readings
  }

  /// `\"`, `\n`, `\u0022`, `\u{22}`, `\x22`, with several backslashes: JSON in JSON.
  private static func backslashReadings(
    _ text: UnsafeBufferPointer<UInt8>, _ place: Int
  ) -> [Reading] {
    var next = place + 1
    var readings: [Reading] = []
    while next < min(text.count, place + nestingLimit), text[next] == UInt8(ascii: "\\") {
      next += 1
      readings.append(Reading(bytes: [UInt8(ascii: "\\")], end: next))
    }
    guard next < text.count else { return readings }
    switch text[next] {
    case UInt8(ascii: "\""), UInt8(ascii: "/"), UInt8(ascii: "'"):
      readings.append(Reading(bytes: [text[next]], end: next + 1))
    case UInt8(ascii: "x"):
      if let value = hexadecimal(text, next + 1..<next + 3) {
        readings.append(Reading(bytes: [UInt8(truncatingIfNeeded: value)], end: next + 3))
      }
    case UInt8(ascii: "u"):
      if let reading = unicodeReading(text, next + 1) { readings.append(reading) }
    case let letter:
      if let byte = letters[letter] { readings.append(Reading(bytes: [byte], end: next + 1)) }
    }
    return readings
  }

  private static func unicodeReading(
    _ text: UnsafeBufferPointer<UInt8>, _ place: Int
  ) -> Reading? {
    if place < text.count, text[place] == UInt8(ascii: "{") {
      let digits = text[(place + 1)...].prefix(8).prefix { $0 != UInt8(ascii: "}") }
      guard let value = hexadecimal(text, digits.startIndex..<digits.endIndex) else { return nil }
      return reading(value, end: digits.endIndex + 1)
    }
    guard let value = hexadecimal(text, place..<place + 4) else { return nil }
    // The second half of a pair comes in an escape of its own.
    if (0xD800..<0xDC00).contains(value), place + 10 <= text.count,
      let low = hexadecimal(text, place + 6..<place + 10), (0xDC00..<0xE000).contains(low)
    {
      return reading(0x10000 + (value - 0xD800) << 10 + (low - 0xDC00), end: place + 10)
    }
    return reading(value, end: place + 4)
  }

  private static func reading(_ value: UInt32, end: Int) -> Reading? {
    Unicode.Scalar(value).map { Reading(bytes: Array(String($0).utf8), end: end) }
  }

  private static func hexadecimal(
    _ text: UnsafeBufferPointer<UInt8>, _ range: Range<Int>
  ) -> UInt32? {
    guard range.upperBound <= text.count, !range.isEmpty else { return nil }
    var value: UInt32 = 0
    for byte in text[range] {
      switch byte {
      case 0x30...0x39: value = value << 4 | UInt32(byte - 0x30)
      case 0x41...0x46, 0x61...0x66: value = value << 4 | UInt32(byte & 0xDF - 0x37)
      default: return nil
      }
    }
    return value
  }
}
