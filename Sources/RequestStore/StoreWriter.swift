import Foundation
import HarnessWire
import Synchronization

/// Appends requests to the store, from any thread of one process.
///
/// Each line is one `write` on a descriptor of its own file that was opened to append. So a line is
/// whole or, when the disk is full or the process is killed, visibly torn.
package final class StoreWriter: Sendable {
  private struct State {
    var lastOrdinal = 0
    /// Set for good by the first write that failed: from then on the store is not complete.
    var failure: StoreWriteError?
    var cancellations: AppendOnlyFile?
  }

  private let folder: String
  private let stem: String
  private let file: AppendOnlyFile
  private let state = Mutex(State())

  /// Creates the process's file in the shared folder.
  ///
  /// - Throws: `StoreWriteError` where that is not possible.
  package init(folder: String, processID: Int32) throws {
    self.folder = folder
    (stem, file) = try Self.newFile(in: folder, processID)
  }

  /// Process ids come again, in containers with their own numbering at each launch: then the name
  /// gets a number.
  private static func newFile(
    in folder: String, _ processID: Int32
  ) throws(StoreWriteError) -> (stem: String, file: AppendOnlyFile) {
    var attempt = 1
    while true {
      let stem = StoreLayout.stem(processID: processID, attempt: attempt)
      do {
        return (stem, try AppendOnlyFile(creating: folder + "/" + StoreLayout.storeFile(stem)))
      } catch {
        guard error.code == EEXIST, attempt < 10_000 else { throw error }
        attempt += 1
      }
    }
  }

  /// Records a request at the moment it starts.
  ///
  /// - Returns: the request's number in this process, by which `noteCancellation` knows it.
  /// - Throws: `StoreWriteError` when the line could not be written whole, and at each later call:
  ///   the store is incomplete then. A marker in the folder tells the reader so, if there is room for it.
  @discardableResult
  package func append(_ request: RecordedRequest) throws -> Int {
    let openLine = RecordedRequestLine.openLine(of: request)
    return try state.withLock { state in
      let ordinal = state.lastOrdinal + 1
      try write(RecordedRequestLine.close(openLine, ordinal: ordinal), to: file, &state)
      state.lastOrdinal = ordinal
      return ordinal
    }
  }

  /// Notes that the app cancelled a request. The request's line stays as it was written.
  ///
  /// - Throws: as `append`.
  package func noteCancellation(of ordinal: Int) throws {
    try state.withLock { state in
      if state.cancellations == nil {
        let path = folder + "/" + StoreLayout.cancellationFile(stem)
        state.cancellations = try fail(&state) { try AppendOnlyFile(creating: path) }
      }
      guard let file = state.cancellations else { return }
      try write(Array("\(ordinal)\n".utf8), to: file, &state)
    }
  }

  private func write(_ line: [UInt8], to file: AppendOnlyFile, _ state: inout State) throws {
    try fail(&state) { try file.append(line) }
  }

  private func fail<Result>(_ state: inout State, _ work: () throws -> Result) throws -> Result {
    if let failure = state.failure { throw failure }
    do {
      return try work()
    } catch {
      state.failure = error as? StoreWriteError
      _ = try? AppendOnlyFile(creating: folder + "/" + StoreLayout.failureMarker(stem))
      throw error
    }
  }
}

/// A line of the store could not be written.
package struct StoreWriteError: Error, Sendable, Equatable, CustomStringConvertible {
  package var path: String
  /// The system's error number.
  package var code: Int32

  package var description: String {
    "The store \"\(path)\" can't be written: \(String(cString: strerror(code)))."
  }
}
