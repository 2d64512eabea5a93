import CSystem
import Foundation
import ScenarioCore

/// Writes a report so that a reader never sees half of it: to a temporary file, then renamed.
///
/// A device or a pipe is written to as it is; it must not be replaced by a file.
package enum ReportFile {
  /// - Throws: `ReportFailure`.
  package static func write(_ text: String, to path: String) throws {
    try write(bytes: Array(text.utf8), to: path)
  }

  /// - Throws: `ReportFailure`.
  package static func write(bytes: [UInt8], to path: String) throws {
    try write(to: path) { try $0.write(bytes) }
  }

  /// Writes a report piece by piece.
  ///
  /// - Throws: `ReportFailure`, and what the report throws.
  package static func write(to path: String, _ report: (ReportSink) throws -> Void) throws {
    guard !ReportPath.isSpecial(path) else {
      return try write(report, to: try LineOutput(path: path))
    }
    // A link stays one: what it leads to is written anew.
    try write(to: path, replacing: ReportPath.target(of: path), report)
  }

  /// Writes a file that lies where nobody named it, but a project could have put something else of its name: a
  /// link is replaced, not followed, and so is a pipe.
  ///
  /// - Throws: `ReportFailure`.
  package static func replace(_ path: String, with bytes: some Sequence<UInt8>) throws {
    try write(to: path, replacing: path) { try $0.write(bytes) }
  }

  private static func write(
    to path: String, replacing file: String, _ report: (ReportSink) throws -> Void
  ) throws {
    try makeFolder(of: path)
    let folder = folder(of: file)
    // A name that nobody can foresee, so that no link waits there.
    let temporary = folder + "/.scenario-run-\(UUID().uuidString).tmp"
    let unnamed = csystem_open_unnamed(folder)
    do {
      let output =
        unnamed >= 0
        ? LineOutput(descriptor: unnamed, of: path)
        : try LineOutput(creating: temporary, for: path)
      try write(report, to: output) {
        if unnamed >= 0, csystem_name(unnamed, temporary) != 0 {
          throw ReportFailure(path: path, errorNumber: errno)
        }
      }
      guard rename(temporary, file) == 0 else {
        throw ReportFailure(path: path, errorNumber: errno)
      }
    } catch {
      unlink(temporary)
      throw error
    }
  }

  /// Where what becomes the file is written: a file can be renamed only within a file system.
  static func folder(of file: String) -> String {
    let folder = (file as NSString).deletingLastPathComponent
    return folder.isEmpty ? "." : folder
  }

  /// - Parameter written: called once everything is written, before the output is closed.
  private static func write(
    _ report: (ReportSink) throws -> Void, to output: LineOutput, written: () throws -> Void = {}
  ) throws {
    let sink = ReportSink { try output.write($0) }
    try report(sink)
    try sink.flush()
    try written()
    try output.close()
  }

  /// Removes a report of an earlier run: where no new one can be written, it would be taken for it.
  ///
  /// - Throws: `ReportFailure`.
  static func remove(_ path: String) throws {
    guard unlink(ReportPath.target(of: path)) == 0 || errno == ENOENT || errno == ENOTDIR else {
      throw ReportFailure(path: path, errorNumber: errno)
    }
  }

  /// Makes the folder that a report goes to.
  ///
  /// - Throws: `ReportFailure`.
  static func makeFolder(of path: String) throws {
    do {
      try FileManager.default.createDirectory(
        atPath: folder(of: path), withIntermediateDirectories: true)
    } catch {
      throw ReportFailure(path: path, error: error)
    }
  }
}

/// A report that could not be written.
package struct ReportFailure: Error, CustomStringConvertible {
  package var path: String
  package var reason: String

  package init(path: String, reason: String) {
    self.path = path
    self.reason = reason
  }

  /// - Parameter errorNumber: what the system said.
  init(path: String, errorNumber: Int32) {
    self.init(path: path, reason: String(cString: strerror(errorNumber)))
    switch errorNumber {
    case ENOSPC, EDQUOT, EFBIG: reason += ". Make room there, or name another file."
    case EROFS, EACCES, EPERM: reason += ". Name a file in a folder that can be written."
    default: break
    }
  }

  /// - Parameter error: Foundation's, which says less than the system's behind it.
  init(path: String, error: any Error) {
    let underlying = (error as NSError).userInfo[NSUnderlyingErrorKey]
    if let underlying = underlying as? POSIXError {
      self.init(path: path, errorNumber: underlying.code.rawValue)
    } else if let underlying = underlying as? NSError, underlying.domain == NSPOSIXErrorDomain {
      self.init(path: path, errorNumber: Int32(clamping: underlying.code))
    } else {
      self.init(path: path, reason: error.localizedDescription)
    }
  }

  package var description: String { "\(path) can't be written: \(reason)" }
}

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

/// Writes a file when the run has ended, as a pure function of its result.
///
/// Until then the file says that the run has not ended: what a run before left there is no report of
/// this one, whatever ends this process.
package final class FileReporter: Reporter {
  package let name: String
  private let path: String
  private let report: (RunResult, ReportSink) throws -> Void

  /// - Parameters:
  ///   - name: see `Reporter`.
  ///   - path: a file, or what `ReportPath` knows.
  package init(
    name: String, path: String, report: @escaping (RunResult, ReportSink) throws -> Void
  ) {
    self.name = name
    self.path = path
    self.report = report
  }

  package func handle(_ event: RunEvent, _ result: RunResult) throws {
    switch event {
    case .runStarted(let header) where !ReportPath.isSpecial(path):
      try ReportFile.remove(path)
      try ReportFile.write(to: path) { try report(Self.unfinished(header), $0) }
    case .runFinished: try ReportFile.write(to: path) { try report(result, $0) }
    default: return
    }
  }

  /// One error, of the run as a whole.
  private static func unfinished(_ header: RunHeader) -> RunResult {
    let error = RunError(
      .interrupted, "The run has not ended: it still goes on, or it was killed. Run it again.")
    var result = RunResult()
    result.apply(.runStarted(header))
    result.apply(
      .scenarioFinished(
        ScenarioResult(
          index: 0,
          scenario: .wholeRun,
          verdict: .errored, findings: [.runError(error)], startedAt: header.startedAt,
          duration: .zero)))
    result.apply(.runFinished(endedAt: header.startedAt, duration: .zero))
    return result
  }
}
