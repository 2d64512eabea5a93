/// A URL as it was sent, byte for byte, with its parts.
package struct RequestURL: Sendable {
  package let bytes: [UInt8]
  package let parts: URLParts

  package init(_ url: String) {
    self.init(bytes: Array(url.utf8))
  }

  package init(bytes: [UInt8]) {
    self.bytes = bytes
    parts = bytes.withUnsafeBufferPointer { URLParts(of: $0) }
  }

  package var text: String { String(decoding: bytes, as: UTF8.self) }
  package var scheme: ArraySlice<UInt8>? { parts.scheme.map { bytes[$0] } }
  package var host: ArraySlice<UInt8>? { parts.host.map { bytes[$0] } }
  package var path: ArraySlice<UInt8> { bytes[parts.path] }
  package var query: ArraySlice<UInt8>? { parts.query.map { bytes[$0] } }
  package var fragment: ArraySlice<UInt8>? { parts.fragment.map { bytes[$0] } }

  /// The port as written, or the scheme's own.
  package var port: Int? {
    if let range = parts.port { return Int(String(decoding: bytes[range], as: UTF8.self)) }
    switch scheme.map({ String(decoding: $0, as: UTF8.self).lowercased() }) {
    case "http": return 80
    case "https": return 443
    default: return nil
    }
  }

  /// Path and query, without the fragment.
  package var pathAndQuery: ArraySlice<UInt8> {
    bytes[parts.path.lowerBound..<(parts.query ?? parts.path).upperBound]
  }

  /// Everything before the query.
  package var upToPath: ArraySlice<UInt8> { bytes[..<parts.path.upperBound] }

  package var queryItems: [QueryItem] {
    query.map { QueryItem.items(of: $0) } ?? []
  }
}

/// One parameter of a query.
package struct QueryItem: Sendable {
  /// `name=value` or `name`, as sent.
  package let raw: ArraySlice<UInt8>
  /// Decoded as servers do: `%XX` is a byte, `+` a space; what isn't an escape sequence stays.
  package let name: [UInt8]
  package let value: [UInt8]

  package init(raw: ArraySlice<UInt8>) {
    self.raw = raw
    let equals = raw.firstIndex(of: UInt8(ascii: "=")) ?? raw.endIndex
    name = Self.decoded(raw[..<equals])
    value = equals < raw.endIndex ? Self.decoded(raw[(equals + 1)...]) : []
  }

  /// The parameters in their order; empty ones, as in `a=1&&b=2`, are none.
  package static func items(of query: ArraySlice<UInt8>) -> [QueryItem] {
    query.split(separator: UInt8(ascii: "&")).map(QueryItem.init)
  }

  /// The bytes that an encoded name or value stands for.
  package static func decoded(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var decoded: [UInt8] = []
    decoded.reserveCapacity(bytes.count)
    var index = bytes.startIndex
    while index < bytes.endIndex {
      let byte = bytes[index]
      index += 1
      if byte == UInt8(ascii: "+") {
        decoded.append(0x20)
      } else if byte == UInt8(ascii: "%"), index + 2 <= bytes.endIndex,
        let high = hexValue(bytes[index]), let low = hexValue(bytes[index + 1])
      {
        decoded.append(high << 4 | low)
        index += 2
      } else {
        decoded.append(byte)
      }
    }
    return decoded
  }

  private static func hexValue(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
