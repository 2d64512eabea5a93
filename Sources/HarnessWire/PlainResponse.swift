/// The response that nearly every request gets, `{"jsonrpc":"2.0","id":1,"result":{}}`, known without
/// decoding it: Foundation's decoder takes longer for it than many an app for its action.
enum PlainResponse {
  /// The id; `nil` where the line is anything else, and has to be decoded.
  static func id(of line: UnsafeBufferPointer<UInt8>) -> Int? {
    var found = Members()
    var scanner = RecordedLineScanner(bytes: line, range: line.indices)
    do throws(RecordedLineFault) {
      try scanner.object { scanner, key throws(RecordedLineFault) in
        try found.take(key, &scanner)
      }
      try scanner.finish()
    } catch {
      return nil
    }
    return found.isWhole ? found.id : nil
  }

  private struct Members {
    var id: Int?
    var hasVersion = false
    var hasResult = false

    var isWhole: Bool { hasVersion && hasResult }

    mutating func take(
      _ key: RecordedLineScanner.Text, _ scanner: inout RecordedLineScanner
    ) throws(RecordedLineFault) {
      if scanner.isKey(key, "id"), id == nil {
        id = try scanner.wholeNumber()
      } else if scanner.isKey(key, "jsonrpc"), !hasVersion {
        hasVersion = scanner.isKey(try scanner.string(), "2.0")
      } else if scanner.isKey(key, "result"), !hasResult {
        // A result with members ends it here.
        try scanner.object { _, _ throws(RecordedLineFault) in throw .notJSON }
        hasResult = true
      } else {
        throw .notJSON
      }
    }
  }
}
