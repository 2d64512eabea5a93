import RequestMatching

/// A URL in the form in which a captured and a sent one are compared.
///
/// What exporters write differently, though servers see no difference, is levelled: capitals in scheme and
/// host, the scheme's own port, an empty path, capitals in escapes, characters that have to be
/// escaped; the fragment is never sent.
enum ComparableURL {
  static func text(of url: RequestURL) -> String {
    var result: [UInt8] = []
    result.reserveCapacity(url.bytes.count + 8)
    let scheme = url.scheme.map(lowercased) ?? []
    result += scheme + Array("://".utf8) + (url.host.map(lowercased) ?? [])
    if let port = url.port, port != standardPort(scheme) { result += Array(":\(port)".utf8) }
    append(url.path.isEmpty ? [slash] : url.path, to: &result)
    if let query = url.query {
      result.append(UInt8(ascii: "?"))
      append(query, to: &result)
    }
    return String(decoding: result, as: UTF8.self)
  }

  private static let slash = UInt8(ascii: "/")

  private static func standardPort(_ scheme: [UInt8]) -> Int? {
    scheme.elementsEqual("https".utf8) ? 443 : scheme.elementsEqual("http".utf8) ? 80 : nil
  }

  private static func lowercased(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    bytes.map { (0x41...0x5A).contains($0) ? $0 + 0x20 : $0 }
  }

  private static func append(_ bytes: ArraySlice<UInt8>, to result: inout [UInt8]) {
    var letters = 0
    for byte in bytes {
      if byte <= 0x20 || byte >= 0x7F {
        result += [UInt8(ascii: "%"), hexDigit(byte >> 4), hexDigit(byte & 15)]
      } else if letters > 0, (0x61...0x66).contains(byte) {
        result.append(byte - 0x20)
      } else {
        result.append(byte)
      }
      letters = byte == UInt8(ascii: "%") ? 2 : max(0, letters - 1)
    }
  }

  private static func hexDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
  }
}
