import Foundation

/// Reads from a pipe without blocking.
enum ReadBuffer {
  enum Outcome {
    case some, nothingNow, ended
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
      return count < 0 && (errno == EAGAIN || errno == EINTR) ? .nothingNow : .ended
    }
  }
}
