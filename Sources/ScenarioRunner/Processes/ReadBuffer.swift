import Foundation

/// Reads from a pipe without blocking.
enum ReadBuffer {
  enum Outcome: Equatable {
    case some, nothingNow
    /// At the end, with 0, or by an error, with its number.
    case ended(code: Int32)
  }

  /// How much one read takes at most.
  static let sizeBytes = 64 * 1024

  static func read(from descriptor: Int32, _ take: (UnsafeRawBufferPointer) -> Void) -> Outcome {
    withUnsafeTemporaryAllocation(byteCount: sizeBytes, alignment: 1) { buffer in
      let count = Foundation.read(descriptor, buffer.baseAddress, buffer.count)
      if count > 0 {
        take(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        return .some
      }
      let code = count < 0 ? errno : 0
      return code == EAGAIN || code == EINTR ? .nothingNow : .ended(code: code)
    }
  }
}
