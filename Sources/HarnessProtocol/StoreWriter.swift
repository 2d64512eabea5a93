import Foundation
import Synchronization

/// Appends requests to the store, from any thread of one process.
///
/// Each line, or that of a request and its end, is one `write` on a descriptor of its own file that was opened
/// to append, but for lines of more than 1 MiB, which are several. So a line is whole or, when the disk is full
/// or the process is killed, visibly torn.
package final class StoreWriter: Sendable {
  private struct State {
    /// The number of the last request.
    var number = 0
    var writtenBytes = 0
    /// Set for good by the first failure: from then on the store is not complete, whatever can be
    /// written later.
    var failure: StoreWriteError?
  }

  private let path: String
  private let descriptor: Int32
  private let state = Mutex(State())

  /// Creates the process's file in the shared folder.
  ///
  /// Process ids come again, in containers with their own numbering at each launch: then the file has
  /// the next number that is free.
  ///
  /// - Throws: `StoreWriteError` where no file can be created.
  package init(folder: String, processID: Int32) throws {
    var number = processID
    while true {
      let path = folder + "/" + StoreLayout.storeFile(processID: number)
      let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0o644)
      if descriptor >= 0 {
        (self.path, self.descriptor) = (path, descriptor)
        return
      }
      switch errno {
      case EINTR: continue
      case EEXIST where number < .max: number += 1
      default: throw StoreWriteError(path: path, problem: .system(code: errno))
      }
    }
  }

  deinit {
    close(descriptor)
  }

  /// Records a request at the moment it starts, and its end where it is answered then.
  ///
  /// - Returns: the request's number in this process's file, by which `append(_:of:)` knows it.
  /// - Throws: `StoreWriteError` when the line could not be written whole, and at each later call:
  ///   the store is incomplete then.
  @discardableResult
  package func append(_ request: RecordedRequest) throws -> Int {
    guard let body = request.body else { return try append(request, body: nil) }
    return try body.withUnsafeBufferPointer { try append(request, body: $0) }
  }

  /// The same with a body that stands for the request's own: a large one need not be copied.
  package func append(
    _ request: RecordedRequest, body: UnsafeBufferPointer<UInt8>?
  ) throws -> Int {
    var pieces = RecordedLinePieces(request, body: body)
    // Mostly all.
    var piece = pieces.next() ?? []
    return try state.withLock { state in
      while let next = pieces.next() {
        try write(piece, &state)
        piece = next
      }
      state.number += 1
      if let end = request.end { piece += end.line(ofRequest: state.number) }
      try write(piece, &state)
      return state.number
    }
  }

  /// Records how a request ended. Its own line stays as it was written.
  ///
  /// - Parameter number: what `append` returned for it.
  /// - Throws: as `append`.
  package func append(_ end: RequestEnd, of number: Int) throws {
    let line = end.line(ofRequest: number)
    try state.withLock { state in try write(line, &state) }
  }

  /// Checks that all that was written is in the shared folder.
  ///
  /// - Throws: `StoreWriteError`, at each later call too: what could not be written, or that somebody
  ///   else changed the file.
  package func check() throws {
    try state.withLock { state in
      if let failure = state.failure { throw failure }
      var (own, named) = (stat(), stat())
      guard fstat(descriptor, &own) == 0, own.st_size == off_t(state.writtenBytes),
        lstat(path, &named) == 0, FileIdentity(own) == FileIdentity(named)
      else { throw fail(.changed, &state) }
    }
  }

  /// A second `write` only where the system took less than all, as it does on a disk that is nearly
  /// full.
  private func write(_ line: [UInt8], _ state: inout State) throws {
    if let failure = state.failure { throw failure }
    var rest = line[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw fail(.system(code: count == 0 ? ENOSPC : errno), &state) }
      state.writtenBytes += count
      rest = rest.dropFirst(count)
    }
  }

  private func fail(_ problem: StoreWriteError.Problem, _ state: inout State) -> StoreWriteError {
    let failure = StoreWriteError(path: path, problem: problem)
    state.failure = failure
    return failure
  }
}

/// The store can't be written, or doesn't hold any more what was written.
package struct StoreWriteError: Error, Sendable, Equatable, CustomStringConvertible {
  package enum Problem: Sendable, Equatable {
    /// With the system's error number.
    case system(code: Int32)
    /// It was removed, renamed, cut, or written by somebody else.
    case changed
  }

  package var path: String
  package var problem: Problem

  package var description: String {
    switch problem {
    case .system(let code):
      let cause = String(cString: strerror(code))
      let remedy =
        code == ENOSPC
        ? " Make room there, or set TMPDIR of scenario-run to a folder of another disk." : ""
      return "The store \"\(path)\" can't be written: \(cause).\(remedy)"
    case .changed:
      return "The store \"\(path)\" was removed, renamed or changed after the kit had written it. "
        + "The app must leave the shared folder alone."
    }
  }
}
