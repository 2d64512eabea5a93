import Foundation
import HarnessProtocol

/// The lines of a descriptor, read as they come.
final class LineInput {
  private let descriptor: Int32
  private var buffer = LineBuffer()
  private var lines: [[UInt8]] = []

  init(descriptor: Int32) {
    self.descriptor = descriptor
  }

  /// Blocks until there is a whole line.
  ///
  /// - Returns: `nil` at the end; a last line without a newline is torn, and is not returned.
  func next() -> [UInt8]? {
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while lines.isEmpty {
      let count = read(descriptor, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return nil }
      lines = buffer.append(chunk[..<count]).reversed()
    }
    return lines.popLast()
  }
}
