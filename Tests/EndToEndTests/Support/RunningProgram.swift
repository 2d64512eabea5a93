import Foundation
import Synchronization

/// A program that runs beside the test, which waits for what it says.
final class RunningProgram: @unchecked Sendable {
  // Unchecked: `Process` is used by the test's thread alone; what is shared is behind `said`.

  private struct Said {
    var output = ""
    var errors = ""
    var openStreams = 2
  }

  private let process = Process()
  private let said = NSCondition()
  private var streams = Said()

  init(
    _ program: String, _ arguments: [String], folder: String, environment: [String: String]
  ) throws {
    process.executableURL = URL(filePath: program)
    process.arguments = arguments
    process.currentDirectoryURL = URL(filePath: folder)
    process.environment = environment
    process.standardInput = FileHandle.nullDevice
    let (output, errors) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    read(output) { $0.output += $1 }
    read(errors) { $0.errors += $1 }
  }

  var output: String { said.withLock { streams.output } }
  var errors: String { said.withLock { streams.errors } }

  var processIdentifier: Int32 { process.processIdentifier }

  func send(_ signal: Int32) { kill(process.processIdentifier, signal) }

  /// - Returns: whether it was said before the program ended.
  func waitForOutput(_ text: String) -> Bool { wait { $0.output.contains(text) } }

  func waitForErrors(_ text: String) -> Bool { wait { $0.errors.contains(text) } }

  /// Waits for the end of the program and of its streams.
  func waitForExit() -> Int32 {
    _ = wait { _ in false }
    process.waitUntilExit()
    return process.terminationStatus
  }

  private func wait(for condition: (Said) -> Bool) -> Bool {
    said.withLock {
      while !condition(streams) {
        if streams.openStreams == 0 { return false }
        said.wait()
      }
      return true
    }
  }

  private func read(_ pipe: Pipe, _ take: @escaping @Sendable (inout Said, String) -> Void) {
    let handle = pipe.fileHandleForReading
    Thread.detachNewThread { [self] in
      while case let bytes = handle.availableData, !bytes.isEmpty {
        said.withLock {
          take(&streams, String(decoding: bytes, as: UTF8.self))
          said.broadcast()
        }
      }
      said.withLock {
        streams.openStreams -= 1
        said.broadcast()
      }
    }
  }
}
