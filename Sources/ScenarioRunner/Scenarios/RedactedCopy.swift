import Foundation

/// Copies files without what must not be kept, whole lines at a time, in bounded memory.
struct RedactedCopy {
  /// A line that is longer is cut.
  private static let lineLimitBytes = 64 * 1024 * 1024
  private static let chunkBytes = 1024 * 1024

  let redact: ([UInt8]) -> [UInt8]

  func copy(_ source: String, to target: String) throws(SystemError) {
    let input = open(source, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard input >= 0 else { throw SystemError("read \(source)") }
    defer { close(input) }
    let output = try Self.create(target)
    defer { close(output) }
    var pending: [UInt8] = []
    while true {
      let start = pending.count
      pending += [UInt8](repeating: 0, count: Self.chunkBytes)
      let count = pending.withUnsafeMutableBytes {
        read(input, $0.baseAddress.map { $0 + start }, Self.chunkBytes)
      }
      if count < 0, errno != EINTR { throw SystemError("read \(source)") }
      pending.removeLast(Self.chunkBytes - max(0, count))
      if count == 0 { break }
      let end = pending.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
      let whole = end == 0 && pending.count >= Self.lineLimitBytes ? pending.count : end
      guard whole > 0 else { continue }
      try Self.write(redact(Array(pending[..<whole])), to: output, target)
      pending.removeFirst(whole)
    }
    try Self.write(redact(pending), to: output, target)
  }

  static func write(_ bytes: [UInt8], to target: String) throws(SystemError) {
    let output = try create(target)
    defer { close(output) }
    try write(bytes, to: output, target)
  }

  private static func create(_ path: String) throws(SystemError) -> Int32 {
    let output = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard output >= 0 else { throw SystemError("write \(path)") }
    return output
  }

  private static func write(
    _ bytes: [UInt8], to descriptor: Int32, _ path: String
  ) throws(SystemError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw SystemError("write \(path)") }
      rest = rest.dropFirst(count)
    }
  }
}
