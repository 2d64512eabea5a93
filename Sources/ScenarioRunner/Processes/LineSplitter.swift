/// Cuts stdout into lines, with a bound on how long one may get.
struct LineSplitter {
  static let lineLimitBytes = 16 * 1024 * 1024

  private var pending: [UInt8] = []
  /// Whether the line at hand is longer than the limit: its rest is thrown away.
  private var isOverlong = false

  /// - Returns: the lines that are complete now, without their newline.
  mutating func append(_ bytes: UnsafeRawBufferPointer) -> [[UInt8]] {
    var lines: [[UInt8]] = []
    var start = bytes.startIndex
    while let newline = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) {
      keep(bytes[start..<newline])
      lines.append(pending)
      pending = []
      isOverlong = false
      start = newline + 1
    }
    keep(bytes[start...])
    return lines
  }

  /// What came after the last newline.
  var remainder: [UInt8] { pending }

  private mutating func keep(_ bytes: Slice<UnsafeRawBufferPointer>) {
    guard !isOverlong else { return }
    pending.append(contentsOf: bytes)
    isOverlong = pending.count > Self.lineLimitBytes
  }
}
