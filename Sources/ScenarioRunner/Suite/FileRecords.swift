import Foundation
import ScenarioCore
import Synchronization

/// Records in memory while they are few, then in a temporary file that has no name: memory does not
/// grow with a run, and nothing is left of one that was killed.
package final class FileRecords: RecordStorage {
  private static let memoryLimitBytes = 1 << 20

  private struct State {
    var memory = MemoryRecords()
    /// `nil` before the first record that needs it; -1 where the system gives none.
    var descriptor: Int32?
    var fileBytes = 0
  }

  private let directory: String
  private let state = Mutex(State())

  package init(in directory: String) { self.directory = directory }

  deinit {
    let descriptor = state.withLock { $0.descriptor }
    if let descriptor, descriptor >= 0 { close(descriptor) }
  }

  // Positions from 0 are in the file, those below in memory.

  package func append(_ bytes: [UInt8]) -> Int {
    state.withLock { state in
      if state.memory.sizeBytes >= Self.memoryLimitBytes, let position = write(bytes, &state) {
        return position
      }
      return -1 - state.memory.append(bytes)
    }
  }

  package func bytes(at position: Int) -> [UInt8] {
    state.withLock { state in
      guard position >= 0, let descriptor = state.descriptor else {
        return state.memory.bytes(at: -1 - position)
      }
      let length = Self.read(RecordLength.sizeBytes, at: position, of: descriptor)
      let count = length.withUnsafeBytes { RecordLength.read($0, at: 0) }
      return Self.read(count, at: position + RecordLength.sizeBytes, of: descriptor)
    }
  }

  /// - Returns: `nil` where it can't be written, as on a full disk: then it stays in memory.
  private func write(_ bytes: [UInt8], _ state: inout State) -> Int? {
    let descriptor = state.descriptor ?? Self.namelessFile(in: directory)
    state.descriptor = descriptor
    guard descriptor >= 0 else { return nil }
    var record: [UInt8] = []
    record.reserveCapacity(bytes.count + RecordLength.sizeBytes)
    Swift.withUnsafeBytes(of: UInt64(bytes.count)) { record.append(contentsOf: $0) }
    record += bytes
    var written = 0
    while written < record.count {
      let count = record.withUnsafeBytes {
        pwrite(
          descriptor, $0.baseAddress.map { $0 + written }, record.count - written,
          off_t(state.fileBytes + written))
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return nil }
      written += count
    }
    defer { state.fileBytes += record.count }
    return state.fileBytes
  }

  private static func namelessFile(in directory: String) -> Int32 {
    var template = Array((directory + "/scenario-run-records.XXXXXX").utf8CString)
    let descriptor = mkstemp(&template)
    guard descriptor >= 0 else { return -1 }
    unlink(template)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    return descriptor
  }

  private static func read(_ count: Int, at position: Int, of descriptor: Int32) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      while initialized < count {
        let result = pread(
          descriptor, buffer.baseAddress.map { $0 + initialized }, count - initialized,
          off_t(position + initialized))
        if result < 0, errno == EINTR { continue }
        // Results that were there and can't be read must not be made up.
        guard result > 0 else { fatalError("the run's own records can't be read") }
        initialized += result
      }
    }
  }
}
