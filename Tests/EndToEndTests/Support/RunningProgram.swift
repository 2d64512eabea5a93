import CSupervision
import Foundation

@testable import ScenarioRunner

/// A program that runs beside the test, in a process group of its own, with nothing to read.
///
/// Not by `Process`: its children inherit a blocked signal mask, and each thread that waits for one
/// opens sockets of its own. What is written is read while somebody waits.
final class RunningProgram {
  let processIdentifier: Int32
  private var standardOutput: Descriptor
  private var standardError: Descriptor
  private var outputBytes: [UInt8] = []
  private var errorBytes: [UInt8] = []
  private var exitCode: Int32?

  init(
    _ program: String, _ arguments: [String], folder: String, environment: [String: String]
  ) throws {
    let input = Descriptor(open("/dev/null", O_RDONLY | O_CLOEXEC))
    let output = try ScenarioRunner.Pipe()
    let errors = try ScenarioRunner.Pipe()
    let plan = LaunchPlan(
      program: program, arguments: arguments, environment: environment, workingDirectory: folder,
      marker: "")
    processIdentifier = try Spawn.start(
      plan, mark: 0, seal: CSUPERVISION_SEAL_NONE, input: input.number,
      output: output.writing.number, error: errors.writing.number
    ).pid
    standardOutput = output.takeReading()
    standardError = errors.takeReading()
  }

  deinit {
    guard exitCode == nil else { return }
    AppSignal.send(SIGKILL, to: processIdentifier)
    _ = Self.end(of: processIdentifier)
  }

  var output: String { String(decoding: outputBytes, as: UTF8.self) }
  var errors: String { String(decoding: errorBytes, as: UTF8.self) }

  func send(_ signal: Int32) { kill(processIdentifier, signal) }

  /// - Returns: whether it was said before the program ended.
  func waitForOutput(_ text: String) -> Bool { wait { output.contains(text) } }
  func waitForOutput(_ pattern: Regex<Substring>) -> Bool { wait { output.contains(pattern) } }

  func waitForErrors(_ text: String) -> Bool { wait { errors.contains(text) } }

  /// Waits for the end of the program and of its streams.
  ///
  /// - Returns: its exit code, or the signal that ended it.
  func waitForExit() -> Int32 {
    _ = wait { false }
    let code = exitCode ?? Self.end(of: processIdentifier)
    exitCode = code
    return code
  }

  private static func end(of process: Int32) -> Int32 {
    var ended = csupervision_exit()
    csupervision_wait_without_reaping(process, &ended)
    _ = csupervision_reap(process)
    return ended.code
  }

  /// - Returns: `false` where both streams end before.
  private func wait(for condition: () -> Bool) -> Bool {
    while !condition() {
      guard standardOutput.isOpen || standardError.isOpen else { return false }
      var streams = [standardOutput.number, standardError.number].map {
        pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
      }
      poll(&streams, nfds_t(streams.count), -1)
      if streams[0].revents != 0 { Self.read(&standardOutput, into: &outputBytes) }
      if streams[1].revents != 0 { Self.read(&standardError, into: &errorBytes) }
    }
    return true
  }

  private static func read(_ stream: inout Descriptor, into bytes: inout [UInt8]) {
    let outcome = ReadBuffer.read(from: stream.number) { bytes += $0 }
    if case .ended = outcome { stream.closeNow() }
  }
}
