/// The query parameters that are ignored when URLs are compared: time stamps, random numbers.
package struct VolatileParameters: Sendable {
  private let names: [[UInt8]]

  /// - Parameter names: `*` stands for any number of characters.
  package init(_ names: [String]) {
    self.names = names.map { Array($0.utf8) }
  }

  package static let none = VolatileParameters([])

  package var isEmpty: Bool { names.isEmpty }

  /// - Parameter name: decoded.
  package func contains(_ name: [UInt8]) -> Bool {
    names.contains { Self.matches($0[...], name[...]) }
  }

  /// The URL without its volatile parameters, and without a `?` that nothing follows any more.
  package func removed(from url: RequestURL) -> RequestURL {
    guard !isEmpty, let query = url.query, let range = url.parts.query else { return url }
    let items = query.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
    let kept = items.filter { !contains(QueryItem(raw: $0).name) }
    if kept.count == items.count { return url }
    let rest = kept.isEmpty ? [] : [UInt8(ascii: "?")] + kept.joined(separator: [UInt8(ascii: "&")])
    return RequestURL(
      bytes: url.bytes[..<(range.lowerBound - 1)] + rest + url.bytes[range.upperBound...])
  }

  private static func matches(_ glob: ArraySlice<UInt8>, _ name: ArraySlice<UInt8>) -> Bool {
    var (glob, name) = (glob, name)
    var retry: (glob: ArraySlice<UInt8>, name: ArraySlice<UInt8>)?
    while true {
      if glob.first == UInt8(ascii: "*") {
        glob = glob.dropFirst()
        retry = (glob, name)
      } else if let first = name.first, glob.first == first {
        (glob, name) = (glob.dropFirst(), name.dropFirst())
      } else if glob.isEmpty, name.isEmpty {
        return true
      } else if let last = retry, !last.name.isEmpty {
        retry = (last.glob, last.name.dropFirst())
        (glob, name) = (last.glob, last.name.dropFirst())
      } else {
        return false
      }
    }
  }
}
