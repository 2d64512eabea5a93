import SourceText

/// Reads the entries of a HAR file, tolerant of what exporters write: unknown members, a byte-order
/// mark, no `pages`, no bodies.
struct ArchiveReader {
  let file: SourceFile

  /// - Returns: `nil` where the file is no object with a `log`.
  func entries() throws(ByteScanner.Fault) -> [CapturedEntry]? {
    try file.bytes.withUnsafeBufferPointer { bytes throws(ByteScanner.Fault) in
      let start = file.bytes.starts(with: SourceFile.byteOrderMark) ? 3 : 0
      var scanner = ByteScanner(bytes, at: start)
      guard scanner.nextByte == UInt8(ascii: "{") else { return nil }
      var entries: [CapturedEntry]?
      do throws(ByteScanner.Fault) {
        try scanner.eachMember { scanner, key throws(ByteScanner.Fault) in
          if key == "log", scanner.nextByte == UInt8(ascii: "{") { entries = try log(&scanner) }
        }
        if entries != nil { try scanner.expectEnd() }
      } catch {
        // Without a log it is no capture, but something with comments or mistakes for the parser.
        if entries == nil, !hasLog(bytes, start) { return nil }
        throw error
      }
      return entries.map(Self.sorted)
    }
  }

  /// Whether the first member is the log: then a mistake further on is a mistake in a capture.
  private func hasLog(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int) -> Bool {
    var isLog = false
    var scanner = ByteScanner(bytes, at: start)
    try? scanner.eachMember { scanner, key throws(ByteScanner.Fault) in
      if key == "log" { isLog = true }
    }
    return isLog
  }

  private static func sorted(_ entries: [CapturedEntry]) -> [CapturedEntry] {
    let dated = entries.enumerated().map { (CaptureDate.milliseconds($1.startedDateTime), $0, $1) }
    return dated.sorted { ($0.0, $0.1) < ($1.0, $1.1) }.map(\.2)
  }

  private func log(_ scanner: inout ByteScanner) throws(ByteScanner.Fault) -> [CapturedEntry] {
    var entries: [CapturedEntry] = []
    try scanner.eachMember { scanner, key throws(ByteScanner.Fault) in
      guard key == "entries" else { return }
      try scanner.eachElement { scanner throws(ByteScanner.Fault) in
        let entry = try entry(&scanner)
        // Status 0: the request was aborted, and nothing came back.
        if entry.status != 0, !entry.url.isEmpty { entries.append(entry) }
      }
    }
    return entries
  }

  private func entry(_ scanner: inout ByteScanner) throws(ByteScanner.Fault) -> CapturedEntry {
    var entry = CapturedEntry(
      method: "GET", url: "", startedDateTime: "", status: 0, headers: [])
    try scanner.eachMember { scanner, key throws(ByteScanner.Fault) in
      switch key {
      case "startedDateTime" where scanner.nextByte == UInt8(ascii: "\""):
        entry.startedDateTime = try scanner.string()
      case "request" where scanner.nextByte == UInt8(ascii: "{"): try request(&scanner, &entry)
      case "response" where scanner.nextByte == UInt8(ascii: "{"): try response(&scanner, &entry)
      default: break
      }
    }
    return entry
  }

  private func request(
    _ scanner: inout ByteScanner, _ entry: inout CapturedEntry
  ) throws(ByteScanner.Fault) {
    try scanner.eachMember { scanner, key throws(ByteScanner.Fault) in
      switch key {
      case "method": entry.method = try scanner.string().uppercased()
      case "url": entry.url = Self.withoutFragment(try scanner.string())
      case "postData" where scanner.nextByte == UInt8(ascii: "{"):
        try scanner.eachMember { scanner, key throws(ByteScanner.Fault) in
          guard key == "text", scanner.nextByte == UInt8(ascii: "\"") else { return }
          entry.requestBody = Array(try scanner.string().utf8)
        }
      default: break
      }
    }
  }

  private func response(
    _ scanner: inout ByteScanner, _ entry: inout CapturedEntry
  ) throws(ByteScanner.Fault) {
    var redirect = ""
    try scanner.eachMember { scanner, key throws(ByteScanner.Fault) in
      switch key {
      case "status": entry.status = try scanner.number().map { Int($0) } ?? 0
      case "redirectURL" where scanner.nextByte == UInt8(ascii: "\""):
        redirect = try scanner.string()
      case "headers" where scanner.nextByte == UInt8(ascii: "["):
        entry.headers = try headers(&scanner)
      case "content" where scanner.nextByte == UInt8(ascii: "{"):
        entry.content = try content(&scanner)
      default: break
      }
    }
    let hasLocation = entry.headers.contains { $0.name.lowercased() == "location" }
    if !redirect.isEmpty, !hasLocation { entry.headers.append(("Location", redirect)) }
  }

  private func headers(
    _ scanner: inout ByteScanner
  ) throws(ByteScanner.Fault) -> [(name: String, value: String)] {
    var headers: [(name: String, value: String)] = []
    try scanner.eachElement { scanner throws(ByteScanner.Fault) in
      var header = (name: "", value: "")
      try scanner.eachMember { scanner, key throws(ByteScanner.Fault) in
        guard scanner.nextByte == UInt8(ascii: "\"") else { return }
        if key == "name" { header.name = try scanner.string() }
        if key == "value" { header.value = try scanner.string() }
      }
      if Self.isKept(header.name) { headers.append(header) }
    }
    return headers
  }

  private func content(
    _ scanner: inout ByteScanner
  ) throws(ByteScanner.Fault) -> CapturedEntry.Content? {
    var range: Range<Int>?
    var encoding = ""
    try scanner.eachMember { scanner, key throws(ByteScanner.Fault) in
      guard scanner.nextByte == UInt8(ascii: "\"") else { return }
      if key == "text" { range = try scanner.stringRange() }
      if key == "encoding" { encoding = try scanner.string() }
    }
    let isBase64 = encoding.lowercased() == "base64"
    return range.map { CapturedEntry.Content(range: $0, isBase64: isBase64) }
  }

  /// The body stands decoded in a capture: headers about how it was sent would contradict it. Those
  /// of HTTP/2 (`:status`) are no headers to an app.
  private static func isKept(_ name: String) -> Bool {
    !name.isEmpty && !name.hasPrefix(":")
      && !["content-encoding", "content-length", "transfer-encoding"].contains(name.lowercased())
  }

  private static func withoutFragment(_ url: String) -> String {
    String(url.prefix { $0 != "#" })
  }
}
