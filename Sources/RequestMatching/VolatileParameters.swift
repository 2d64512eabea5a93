/// The query parameters that are ignored when URLs are compared: time stamps, random numbers.
package struct VolatileParameters: Sendable {
  private let names: [[UInt8]]
  private let hasGlobs: Bool

  /// - Parameter names: `*` stands for any number of characters.
  package init(_ names: [String]) {
    self.names = names.map { Array($0.utf8) }
    hasGlobs = names.contains { $0.contains("*") }
  }

  package static let none = VolatileParameters([])

  package var isEmpty: Bool { names.isEmpty }

  /// - Parameter name: decoded.
  package func contains(_ name: [UInt8]) -> Bool {
    names.contains { Glob.matches($0[...], name[...]) }
  }

  /// The URL without its volatile parameters, and without a `?` that nothing follows any more.
  package func removed(from url: RequestURL) -> RequestURL {
    var removed: RequestURL?
    url.bytes.withUnsafeBufferPointer { bytes in
      _ = withRemoved(from: bytes, url.parts) { removed = RequestURL(bytes: Array($0)) }
    }
    return removed ?? url
  }

  /// Calls with the URL without its volatile parameters; the same without memory of its own.
  ///
  /// - Returns: `false`, without a call, where the URL has none.
  func withRemoved(
    from url: UnsafeBufferPointer<UInt8>, _ parts: URLParts,
    _ body: (UnsafeBufferPointer<UInt8>) -> Void
  ) -> Bool {
    guard !isEmpty, let query = parts.query else { return false }
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: url.count) { copy in
      var count = 0
      func append(_ range: Range<Int>) {
        for index in range {
          copy.initializeElement(at: count, to: url[index])
          count += 1
        }
      }
      append(0..<query.lowerBound - 1)
      var (start, separator, hasRemoved) = (query.lowerBound, UInt8(ascii: "?"), false)
      while start <= query.upperBound {
        var end = start
        while end < query.upperBound, url[end] != UInt8(ascii: "&") { end += 1 }
        if isVolatile(url, start..<end) {
          hasRemoved = true
        } else {
          copy.initializeElement(at: count, to: separator)
          count += 1
          append(start..<end)
          separator = UInt8(ascii: "&")
        }
        start = end + 1
      }
      guard hasRemoved else { return false }
      append(query.upperBound..<url.count)
      body(UnsafeBufferPointer(rebasing: copy[..<count]))
      return true
    }
  }

  /// - Parameter item: the place of `name=value`.
  private func isVolatile(_ url: UnsafeBufferPointer<UInt8>, _ item: Range<Int>) -> Bool {
    var end = item.lowerBound
    var isEscaped = false
    while end < item.upperBound, url[end] != UInt8(ascii: "=") {
      if url[end] == UInt8(ascii: "%") || url[end] == UInt8(ascii: "+") { isEscaped = true }
      end += 1
    }
    let raw = UnsafeBufferPointer(rebasing: url[item.lowerBound..<end])
    if isEscaped { return contains(QueryItem.decoded(Array(raw)[...])) }
    if !hasGlobs { return names.contains { $0.count == raw.count && $0.elementsEqual(raw) } }
    return contains(Array(raw))
  }
}

/// Names in which `*` stands for any number of characters.
package enum Glob {
  /// Whether the whole name is as the glob says; compared byte by byte.
  package static func matches(_ glob: ArraySlice<UInt8>, _ name: ArraySlice<UInt8>) -> Bool {
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
