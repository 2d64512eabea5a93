import Foundation
import ScenarioReporting

/// Writes to stdout or stderr.
package final class DescriptorOutput: TextOutput {
  private let descriptor: Int32

  package init(_ descriptor: Int32) {
    self.descriptor = descriptor
  }

  /// - Throws: `OutputFailure`, where the reader is gone, as after `| head`, or the disk is full.
  package func write(_ text: String) throws {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw OutputFailure(code: errno) }
      rest = rest.dropFirst(count)
    }
  }
}

/// The output can't be written.
package struct OutputFailure: Error, CustomStringConvertible {
  package var code: Int32

  package var description: String {
    code == EPIPE
      ? "nobody reads it any more" : "it can't be written: \(String(cString: strerror(code)))"
  }
}
