import Foundation
import ScenarioReporting

/// Writes to stdout or stderr.
package final class DescriptorOutput: TextOutput {
  private let descriptor: Int32

  package init(_ descriptor: Int32) {
    self.descriptor = descriptor
  }

  /// - Throws: `OutputClosed` where the reader is gone, as after `| head`.
  package func write(_ text: String) throws {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw OutputClosed() }
      rest = rest.dropFirst(count)
    }
  }
}

/// Nobody reads the output any more.
package struct OutputClosed: Error, CustomStringConvertible {
  package var description: String { "nobody reads it any more" }
}
