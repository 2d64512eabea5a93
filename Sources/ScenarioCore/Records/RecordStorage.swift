import Synchronization

/// Keeps records of bytes, each written once, so that a run of very many scenarios need not hold all
/// of them as objects.
package protocol RecordStorage: Sendable {
  /// - Returns: where the record is, for `bytes(at:)`.
  func append(_ bytes: [UInt8]) -> Int

  func bytes(at position: Int) -> [UInt8]
}

/// Records in memory: one after the other, each after its length.
package final class MemoryRecords: RecordStorage {
  private let buffer = Mutex<[UInt8]>([])

  package init() {}

  package var sizeBytes: Int { buffer.withLock { $0.count } }

  package func append(_ bytes: [UInt8]) -> Int {
    buffer.withLock { buffer in
      let position = buffer.count
      withUnsafeBytes(of: UInt64(bytes.count)) { buffer.append(contentsOf: $0) }
      buffer.append(contentsOf: bytes)
      return position
    }
  }

  package func bytes(at position: Int) -> [UInt8] {
    buffer.withLock { buffer in
      let start = position + RecordLength.sizeBytes
      let count = buffer.withUnsafeBytes { RecordLength.read($0, at: position) }
      return Array(buffer[start..<start + count])
    }
  }
}

/// The length that stands before a record.
package enum RecordLength {
  package static let sizeBytes = MemoryLayout<UInt64>.size

  package static func read(_ bytes: UnsafeRawBufferPointer, at position: Int) -> Int {
    Int(bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self))
  }
}
