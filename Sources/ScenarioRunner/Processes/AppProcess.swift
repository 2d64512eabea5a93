import CSupervision
import Foundation
import HarnessProtocol
import ScenarioCore

/// A running app with its three pipes: one `poll` drains what it writes, feeds what it reads, and
/// sees its end.
///
/// Belongs to one worker thread.
final class AppProcess {
  /// What a wait ended with.
  enum Event {
    /// A line of stdout that is a message of the dialogue; other lines are the app's own output.
    case response(RPCResponse)
    /// A line of stdout that may be a message, of more bytes than any is read of.
    case overlong(limitBytes: Int)
    /// The process has ended; it is not reaped yet.
    case exited(ProcessExit)
    case timedOut
    case cancelled(signal: Int32)
  }

  let pid: pid_t
  private var input: Descriptor
  private var output: Descriptor
  private var error: Descriptor
  /// Knows what the app tried to send past the kit; `nil` where nobody tells.
  let watch: SealWatch?
  private let exitNotice: Descriptor
  private let cancellation: Cancellation
  private var unsent: [UInt8] = []
  private var splitter = LineBuffer(lineLimitBytes: LineBuffer.dialogueLimitBytes)
  private var hasOverlongLine = false
  /// The beginning of the last line since the last request that may have been meant as an answer and isn't one.
  private(set) var mistakenLine: [UInt8]?
  private var responses: ArraySlice<RPCResponse> = []
  private(set) var standardOutput = OutputCapture()
  private(set) var standardError = OutputCapture()
  private var exit: ProcessExit?

  /// Starts the app.
  ///
  /// - Parameter seal: `nil` where the app may reach the network.
  /// - Throws: the reason, in the words of the system.
  init(
    _ plan: LaunchPlan, hunter: LeftoverHunter, seal: Seal?, cancellation: Cancellation
  ) throws(SystemError) {
    let input = try Pipe()
    let output = try Pipe()
    let error = try Pipe()
    let ends = (input.reading.number, output.writing.number, error.writing.number)
    var listener: Int32 = -1
    let pid = try hunter.start { mark throws(SystemError) in
      let started = try Spawn.start(
        plan, mark: mark, seal: seal?.method ?? CSUPERVISION_SEAL_NONE, input: ends.0,
        output: ends.1, error: ends.2)
      listener = started.listener
      return started.pid
    }
    do throws(SystemError) {
      watch = try seal?.watch(listener)
      exitNotice = Descriptor(csupervision_exit_descriptor(pid))
      guard exitNotice.isOpen else { throw SystemError("pidfd_open") }
    } catch {
      AppSignal.send(SIGKILL, to: pid)
      _ = hunter.cleanUp(after: pid, marker: plan.marker, watch: nil)
      throw error
    }
    self.pid = pid
    self.input = input.takeWriting()
    self.output = output.takeReading()
    self.error = error.takeReading()
    self.cancellation = cancellation
    self.input.makeNonBlocking()
    self.output.makeNonBlocking()
    self.error.makeNonBlocking()
  }

  /// Queues bytes for the app's stdin; they are written while the runner waits.
  func send(_ bytes: [UInt8]) {
    mistakenLine = nil
    unsent.append(contentsOf: bytes)
    writeUnsent()
  }

  /// Ends the app's stdin.
  func closeInput() {
    unsent = []
    input.closeNow()
  }

  /// Waits for what comes first; responses come before the end of the process that wrote them.
  func next(before deadline: ContinuousClock.Instant) -> Event {
    while true {
      if let response = responses.popFirst() { return .response(response) }
      if hasOverlongLine { return .overlong(limitBytes: LineBuffer.dialogueLimitBytes) }
      if let exit { return .exited(exit) }
      let left = ContinuousClock.now.duration(to: deadline)
      if left <= .zero { return .timedOut }
      if let signal = wait(atMost: left) { return .cancelled(signal: signal) }
    }
  }

  /// An answer that is there before the next request is sent.
  func earlyResponse() -> RPCResponse? {
    drainOutput()
    return responses.popFirst()
  }

  /// Waits for the end of the process alone, draining its pipes; cancellation does not cut it short.
  ///
  /// - Returns: `nil` where it did not come in time.
  func waitForExit(before deadline: ContinuousClock.Instant) -> ProcessExit? {
    while exit == nil {
      let left = ContinuousClock.now.duration(to: deadline)
      if left <= .zero { return nil }
      _ = wait(atMost: left, heedingCancellation: false)
    }
    return exit
  }

  /// One `poll`.
  ///
  /// - Returns: the cancelling signal, where there is one.
  private func wait(atMost left: Duration, heedingCancellation: Bool = true) -> Int32? {
    var descriptors = [
      pollfd(fd: output.number, events: Int16(POLLIN), revents: 0),
      pollfd(fd: error.number, events: Int16(POLLIN), revents: 0),
      pollfd(fd: exitNotice.number, events: Int16(POLLIN), revents: 0),
      pollfd(fd: unsent.isEmpty ? -1 : input.number, events: Int16(POLLOUT), revents: 0),
      pollfd(
        fd: heedingCancellation ? cancellation.descriptor : -1, events: Int16(POLLIN), revents: 0),
    ]
    let milliseconds = Int32(clamping: Int((left / .milliseconds(1)).rounded(.up)))
    guard poll(&descriptors, nfds_t(descriptors.count), milliseconds) > 0 else { return nil }
    if descriptors[0].revents != 0 { readOutput() }
    if descriptors[1].revents != 0 { readError() }
    if descriptors[3].revents != 0 { writeUnsent() }
    if descriptors[2].revents != 0 { noticeExit() }
    return descriptors[4].revents != 0 ? cancellation.cancellingSignal : nil
  }

  private func noticeExit() {
    var ended = csupervision_exit()
    guard csupervision_wait_without_reaping(pid, &ended) == 0 else { return }
    drain()
    standardOutput.append(splitter.remainder)
    exit = ProcessExit(ended)
  }

  /// Reads what is in the pipes now; a child of the app that holds them open is not waited for, and
  /// one that goes on writing is not read for ever.
  private func drain() {
    drainOutput()
    for _ in 0..<Self.drainLimit where error.isOpen { if !readError() { break } }
  }

  private func drainOutput() {
    for _ in 0..<Self.drainLimit where output.isOpen { if !readOutput() { break } }
  }

  /// Reads enough for the largest pipe that a system allows, 1 MiB, whatever the app made of its.
  private static let drainLimit = 1024 * 1024 / ReadBuffer.sizeBytes + 1

  @discardableResult
  private func readOutput() -> Bool {
    let count = ReadBuffer.read(from: output.number) { take(splitter.append($0)) }
    if case .ended = count { output.closeNow() }
    return count == .some
  }

  private func take(_ lines: [[UInt8]]) {
    for line in lines {
      // More responses than that were not asked for: the first of them is a fault already.
      if responses.count < Self.responseLimit, let response = RPCLine.response(from: line) {
        responses.append(response)
      } else {
        if line.count > LineBuffer.dialogueLimitBytes, line.first == UInt8(ascii: "{") {
          hasOverlongLine = true
        }
        if RPCLine.looksLikeResponse(line) { mistakenLine = Array(line.prefix(200)) }
        standardOutput.append(line)
        standardOutput.append(Self.newline)
      }
    }
  }

  private static let responseLimit = 100
  private static let newline = [UInt8(ascii: "\n")]

  @discardableResult
  private func readError() -> Bool {
    let count = ReadBuffer.read(from: error.number) { standardError.append($0) }
    if case .ended = count { error.closeNow() }
    return count == .some
  }

  private func writeUnsent() {
    guard input.isOpen, !unsent.isEmpty else { return }
    let count = unsent.withUnsafeBytes { write(input.number, $0.baseAddress, $0.count) }
    if count > 0 {
      unsent.removeFirst(count)
    } else if count < 0, errno != EAGAIN, errno != EINTR {
      // The app has closed its stdin: what it does not answer tells it.
      closeInput()
    }
  }
}
