import Foundation

/// Cuts a stream of bytes into lines.
package struct LineBuffer: Sendable {
  /// How long a line may be that an app writes to its stdout.
  package static let dialogueLimitBytes = 16 << 20

  private var pending: [UInt8] = []
  private let lineLimitBytes: Int
  /// Whether the line at hand is longer than the limit: its rest is thrown away.
  private var isOverlong = false

  /// - Parameter lineLimitBytes: how long a line may get before what follows of it is thrown away.
  package init(lineLimitBytes: Int = .max) {
    self.lineLimitBytes = lineLimitBytes
  }

  /// The bytes after the last newline: a torn line, once the stream has ended.
  package var remainder: [UInt8] { pending }

  /// Takes the next bytes of the stream.
  ///
  /// - Returns: the lines that are now complete, newlines excluded.
  package mutating func append(_ bytes: some Collection<UInt8>) -> [[UInt8]] {
    Array(bytes).withUnsafeBytes { append($0) }
  }

  /// Takes the next bytes of the stream.
  ///
  /// - Returns: the lines that are now complete, newlines excluded.
  package mutating func append(_ bytes: UnsafeRawBufferPointer) -> [[UInt8]] {
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

  private static func lengthOfLine(_ bytes: UnsafeRawBufferPointer) -> Int? {
    guard let base = bytes.baseAddress else { return nil }
    let newline = memchr(base, Int32(UInt8(ascii: "\n")), bytes.count)
    return newline.map { UnsafeRawPointer($0) - base }
  }

  private mutating func keep(_ bytes: UnsafeRawBufferPointer) {
    guard !isOverlong else { return }
    pending.append(contentsOf: bytes)
    isOverlong = pending.count > lineLimitBytes
  }
}
