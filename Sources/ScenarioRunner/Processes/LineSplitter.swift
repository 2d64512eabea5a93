import Foundation

/// Cuts stdout into lines, with a bound on how long one may get.
struct LineSplitter {
  static let lineLimitBytes = 16 * 1024 * 1024

  private var pending: [UInt8] = []
  /// Whether the line at hand is longer than the limit: its rest is thrown away.
  private var isOverlong = false

  /// - Returns: the lines that are complete now, without their newline.
  mutating func append(_ bytes: UnsafeRawBufferPointer) -> [[UInt8]] {
    var lines: [[UInt8]] = []
    var rest = bytes
    while let length = Self.lengthOfLine(rest) {
      keep(UnsafeRawBufferPointer(rebasing: rest[..<length]))
      lines.append(pending)
      pending = []
      isOverlong = false
      rest = UnsafeRawBufferPointer(rebasing: rest[(length + 1)...])
    }
    keep(rest)
    return lines
  }

  /// What came after the last newline.
  var remainder: [UInt8] { pending }

  private static func lengthOfLine(_ bytes: UnsafeRawBufferPointer) -> Int? {
    guard let base = bytes.baseAddress else { return nil }
    let newline = memchr(base, Int32(UInt8(ascii: "\n")), bytes.count)
    return newline.map { UnsafeRawPointer($0) - base }
  }

  private mutating func keep(_ bytes: UnsafeRawBufferPointer) {
    guard !isOverlong else { return }
    pending.append(contentsOf: bytes)
    isOverlong = pending.count > Self.lineLimitBytes
  }
}
