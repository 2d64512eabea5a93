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
    let hash = bytes.firstIndex(of: UInt8(ascii: "#")) ?? end
    fragment = hash < end ? hash + 1..<end : nil
    let mark = bytes[..<hash].firstIndex(of: UInt8(ascii: "?")) ?? hash
    query = mark < hash ? mark + 1..<hash : nil
    var start = 0
    if let colon = bytes[..<mark].firstIndex(where: { !Self.isSchemeByte($0) }), colon > 0,
      bytes[colon] == UInt8(ascii: ":")
    {
      scheme = 0..<colon
      start = colon + 1
    }
    guard mark - start >= 2, bytes[start] == Self.slash, bytes[start + 1] == Self.slash else {
      path = start..<mark
      return
    }
    let authority = start + 2
    let slash = bytes[authority..<mark].firstIndex(of: Self.slash) ?? mark
    path = slash..<mark
    takeAuthority(authority..<slash, bytes)
  }

  private mutating func takeAuthority(_ range: Range<Int>, _ bytes: UnsafeBufferPointer<UInt8>) {
    let start = bytes[range].lastIndex(of: UInt8(ascii: "@")).map { $0 + 1 } ?? range.lowerBound
    let rest = bytes[start..<range.upperBound]
    let colon = rest.lastIndex(of: UInt8(ascii: ":"))
    if let colon, rest[colon...].dropFirst().allSatisfy({ (0x30...0x39).contains($0) }) {
      host = start..<colon
      port = colon + 1 < range.upperBound ? colon + 1..<range.upperBound : nil
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
