import Foundation
import HarnessWire

/// Writes whole lines to the runner.
///
/// The descriptor is a duplicate of stdout, so that an app that closes or redirects its stdout does
/// not cut the dialogue.
final class AnswerWriter: Sendable {
  private let descriptor: Int32

  init(duplicating descriptor: Int32) {
    self.descriptor = dup(descriptor)
    _ = fcntl(self.descriptor, F_SETFD, FD_CLOEXEC)
  }

  func write(_ response: RPCResponse) {
    // What the app printed comes before the answer to the action that printed it.
    fflush(nil)
    guard let line = try? RPCLine.bytes(of: response) else { return }
    line.withUnsafeBytes { bytes in
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = Foundation.write(
          descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
        if count < 0, errno == EINTR { continue }
        // The runner is gone: nobody is left to tell.
        guard count > 0 else { exit(EXIT_FAILURE) }
        rest = rest.dropFirst(count)
      }
    }
  }
}
