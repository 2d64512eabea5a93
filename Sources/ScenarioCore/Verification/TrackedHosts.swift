import Foundation
import RequestMatching

/// The hosts whose requests must all be named, whoever answers them.
struct TrackedHosts: Sendable {
  /// Lowercased; every host where `nil`.
  private let globs: [[UInt8]]?

  /// - Parameter names: `*` stands for any number of characters; every host where `nil`.
  init(_ names: [String]?) {
    globs = names?.map { Array(Self.plain($0).utf8) }
  }

  /// Whether the URL's host is one of them; a URL without a host belongs to every list.
  func contain(_ url: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let globs, let range = URLParts(of: url).host, !range.isEmpty else { return true }
    var host = Self.plain(String(decoding: url[range], as: UTF8.self))
    // The DNS's own spelling of the same name.
    if host.hasSuffix("."), !host.hasSuffix("..") { host.removeLast() }
    return globs.contains { Glob.matches($0[...], Array(host.utf8)[...]) }
  }

  /// Lowercased, without percent-encoding: both lead to the same host (RFC 3986, section 3.2.2).
  private static func plain(_ host: String) -> String {
    (host.removingPercentEncoding ?? host).lowercased()
  }

  func contain(_ url: String) -> Bool {
    var url = url
    return url.withUTF8 { contain($0) }
  }
}
