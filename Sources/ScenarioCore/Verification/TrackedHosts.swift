import Foundation
import RequestMatching

/// The hosts whose requests must all be named, whoever answers them.
package struct TrackedHosts: Sendable {
  /// Lowercased; every host where `nil`.
  private let globs: [[UInt8]]?

  /// - Parameter names: `*` stands for any number of characters; every host where `nil`.
  package init(_ names: [String]?) {
    globs = names?.map { Array(Self.plain($0).utf8) }
  }

  /// Whether the URL's host is one of them; a URL without a host belongs to every list.
  func contain(_ url: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let globs, let range = URLParts(of: url).host, !range.isEmpty else { return true }
    let host = Self.plain(String(decoding: url[range], as: UTF8.self))
    return globs.contains { Glob.matches($0[...], Array(host.utf8)[...]) }
  }

  /// Lowercased, in ASCII, without percent-encoding and without the dot at the end that is the DNS's own
  /// spelling: all lead to the same host (RFC 3986, section 3.2.2).
  private static func plain(_ host: String) -> String {
    var plain = (host.removingPercentEncoding ?? host).lowercased()
    if plain.hasSuffix("."), !plain.hasSuffix("..") { plain.removeLast() }
    return plain.utf8.allSatisfy { $0 < 0x80 } ? plain : HostLiteral.sent(plain) ?? plain
  }

  package func contain(_ url: String) -> Bool {
    var url = url
    return url.withUTF8 { contain($0) }
  }
}
