import Foundation

/// Takes a report piece by piece, so that a long one is never in memory as a whole.
package final class ReportSink {
  private static let bufferBytes = 1 << 16

  private let writeOut: ([UInt8]) throws -> Void
  private var buffer: [UInt8] = []

  /// - Parameter writeOut: called with some pieces at a time; throws `ReportFailure`.
  init(_ writeOut: @escaping ([UInt8]) throws -> Void) {
    self.writeOut = writeOut
  }

  /// - Throws: `ReportFailure`.
  package func write(_ bytes: some Sequence<UInt8>) throws {
    buffer.append(contentsOf: bytes)
    if buffer.count >= Self.bufferBytes { try flush() }
  }

  /// - Throws: `ReportFailure`.
  package func write(_ text: String) throws { try write(text.utf8) }

  func flush() throws {
    if !buffer.isEmpty { try writeOut(buffer) }
    buffer.removeAll(keepingCapacity: true)
  }

  /// What a report comes to, in memory.
  package static func bytes(_ report: (ReportSink) throws -> Void) -> [UInt8] {
    var bytes: [UInt8] = []
    let sink = ReportSink { bytes += $0 }
    do {
      try report(sink)
      try sink.flush()
    } catch {
      // Reports are pure functions of a result; only what they are written to can fail.
      preconditionFailure("a report in memory can't fail: \(error)")
    }
    return bytes
  }
}
