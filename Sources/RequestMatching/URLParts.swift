import Foundation

/// Where the parts of a URL are in its bytes (RFC 3986, appendix B), whatever the bytes are.
package struct URLParts: Sendable {
  /// Without the `:`; `nil` for a relative URL.
  package var scheme: Range<Int>?
  /// Without brackets of an IPv6 address left out: as written.
  package var host: Range<Int>?
  package var port: Range<Int>?
  package var path: Range<Int>
  /// Without the `?`; `nil` where there is none.
  package var query: Range<Int>?
  /// Without the `#`.
  package var fragment: Range<Int>?

  package init(of bytes: UnsafeBufferPointer<UInt8>) {
    let end = bytes.count
    let hash = Self.index(of: UInt8(ascii: "#"), in: bytes, 0..<end) ?? end
    fragment = hash < end ? hash + 1..<end : nil
    let mark = Self.index(of: UInt8(ascii: "?"), in: bytes, 0..<hash) ?? hash
    query = mark < hash ? mark + 1..<hash : nil
    var start = 0
    while start < mark, Self.isSchemeByte(bytes[start]) { start += 1 }
    if start > 0, start < mark, bytes[start] == UInt8(ascii: ":") {
      scheme = 0..<start
      start += 1
    } else {
      start = 0
    }
    guard mark - start >= 2, bytes[start] == Self.slash, bytes[start + 1] == Self.slash else {
      path = start..<mark
      return
    }
    let authority = start + 2
    let slash = Self.index(of: Self.slash, in: bytes, authority..<mark) ?? mark
    path = slash..<mark
    takeAuthority(authority..<slash, bytes)
  }

  /// Each URL of a store is looked at, so the search is the system's.
  private static func index(
    of byte: UInt8, in bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>
  ) -> Int? {
    guard let base = bytes.baseAddress else { return nil }
    return memchr(base + range.lowerBound, Int32(byte), range.count).map {
      UnsafeRawPointer($0) - UnsafeRawPointer(base)
    }
  }

  private mutating func takeAuthority(_ range: Range<Int>, _ bytes: UnsafeBufferPointer<UInt8>) {
    var start = range.lowerBound
    while let at = Self.index(of: UInt8(ascii: "@"), in: bytes, start..<range.upperBound) {
      start = at + 1
    }
    var digits = range.upperBound
    while digits > start, (0x30...0x39).contains(bytes[digits - 1]) { digits -= 1 }
    if digits > start, bytes[digits - 1] == UInt8(ascii: ":") {
      host = start..<digits - 1
      port = digits < range.upperBound ? digits..<range.upperBound : nil
    } else {
      host = start..<range.upperBound
    }
  }

  private static let slash = UInt8(ascii: "/")

  private static func isSchemeByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"),
      UInt8(ascii: "."):
      true
    default: false
    }
  }
}
