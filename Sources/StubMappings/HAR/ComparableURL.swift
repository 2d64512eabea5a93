import Foundation
import RequestMatching

/// A URL in the form in which a captured and a sent one are compared.
///
/// A capture holds what a browser or a proxy wrote down; an app sends what Foundation made of it.
/// `URL(string:)` escapes what RFC 3986 doesn't allow (`|`, `[`, `{`, a stray `%`, …), part by part:
/// a query or path that has such a character gets all of its `%` escaped, too; and it writes the names
/// of hosts in ASCII (`xn--…`). So both go through it, and those stay different that it leaves
/// different. Besides, what exporters write differently, though servers see no difference, is levelled:
/// capitals in scheme and host, the scheme's own port, an empty path, capitals in escapes; the
/// fragment and a user's name are never sent.
enum ComparableURL {
  static func text(of url: RequestURL) -> String {
    let url = asFoundationWritesIt(url)
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

  /// The same URL where Foundation makes none of it: no app can send that one.
  private static func asFoundationWritesIt(_ url: RequestURL) -> RequestURL {
    guard !isValid(url.bytes), let made = URL(string: url.text) else { return url }
    return RequestURL(made.absoluteString)
  }

  /// Whether Foundation leaves a URL as it is. Brackets are allowed in hosts alone: it decides.
  private static func isValid(_ bytes: [UInt8]) -> Bool {
    var digits = 0
    for byte in bytes {
      if digits > 0, !isHexDigit[Int(byte)] { return false }
      if !isAllowed[Int(byte)] { return false }
      digits = byte == percent ? 2 : max(0, digits - 1)
    }
    return digits == 0
  }

  /// RFC 3986: the unreserved and the reserved characters, and the percent sign, without brackets.
  private static let isAllowed = table(letters + letters.uppercased() + "0123456789" + marks)
  private static let isHexDigit = table("0123456789abcdefABCDEF")
  private static let letters = "abcdefghijklmnopqrstuvwxyz"
  private static let marks = "-._~:/?#@!$&'()*+,;=%"

  private static func table(_ characters: String) -> [Bool] {
    var table = [Bool](repeating: false, count: 256)
    for byte in characters.utf8 { table[Int(byte)] = true }
    return table
  }

  private static let slash = UInt8(ascii: "/")
  private static let percent = UInt8(ascii: "%")

  private static func standardPort(_ scheme: [UInt8]) -> Int? {
    scheme.elementsEqual("https".utf8) ? 443 : scheme.elementsEqual("http".utf8) ? 80 : nil
  }

  private static func lowercased(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    bytes.map { (0x41...0x5A).contains($0) ? $0 + 0x20 : $0 }
  }

  /// Appends with the letters of escapes in capitals.
  private static func append(_ bytes: ArraySlice<UInt8>, to result: inout [UInt8]) {
    var digits = 0
    for byte in bytes {
      result.append(digits > 0 && (0x61...0x66).contains(byte) ? byte - 0x20 : byte)
      digits = byte == percent ? 2 : max(0, digits - 1)
    }
  }
}
