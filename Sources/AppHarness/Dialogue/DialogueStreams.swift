import CAppWorld
import Foundation
import HarnessProtocol
import Synchronization

/// The dialogue's own ends of stdin and stdout.
///
/// The app's stdin is empty from then on, and its stdout is a pipe: what the app prints, and what its
/// libraries and children print, can't get between the lines of the dialogue.
struct DialogueStreams: Sendable {
  /// Where the runner's requests come from.
  let requests: Int32
  let answers: AnswerWriter

  /// To be called once a process, before the app prints.
  init() {
    requests = Self.duplicate(STDIN_FILENO)
    let answerDescriptor = Self.duplicate(STDOUT_FILENO)
    let empty = open("/dev/null", O_RDONLY | O_CLOEXEC)
    if empty >= 0 { dup2(empty, STDIN_FILENO) }
    var ends: [Int32] = [-1, -1]
    if pipe(&ends) == 0 {
      dup2(ends[1], STDOUT_FILENO)
      close(ends[1])
      _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
      _ = fcntl(ends[0], F_SETFD, FD_CLOEXEC)
    }
    answers = AnswerWriter(descriptor: answerDescriptor, appOutput: ends[0])
  }

  private static func duplicate(_ descriptor: Int32) -> Int32 {
    fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
  }
}

/// Writes whole lines to the runner: answers, and what the app prints.
final class AnswerWriter: Sendable {
  private let descriptor: Int32
  /// The end of the pipe that is the app's stdout.
  private let appOutput: Int32
  /// The beginning of a line that the app has not ended yet.
  private let unfinished = Mutex<[UInt8]>([])

  init(descriptor: Int32, appOutput: Int32) {
    self.descriptor = descriptor
    self.appOutput = appOutput
    guard appOutput >= 0 else { return }
    Thread.detachNewThread {
      appworld_enter_kit()
      self.forwardForever()
    }
  }

  /// What the app printed comes before the answer to the action that printed it.
  func write(_ response: RPCResponse) {
    flushOutput { write(RPCLine.bytes(of: response)) }
  }

  /// Writes what the app printed last.
  func finish() { flushOutput {} }

  private func flushOutput(then write: () -> Void) {
    fflush(nil)
    unfinished.withLock { unfinished in
      forward(&unfinished)
      if !unfinished.isEmpty { self.write(unfinished + [UInt8(ascii: "\n")]) }
      unfinished = []
      write()
    }
  }

  private func forwardForever() {
    while true {
      var end = pollfd(fd: appOutput, events: Int16(POLLIN), revents: 0)
      guard poll(&end, 1, -1) > 0 || errno == EINTR else { return }
      // Everybody has closed it.
      if Int32(end.revents) & POLLIN == 0, Int32(end.revents) & (POLLHUP | POLLERR) != 0 { return }
      unfinished.withLock { forward(&$0) }
    }
  }

  /// Writes the whole lines that the pipe holds.
  private func forward(_ unfinished: inout [UInt8]) {
    withUnsafeTemporaryAllocation(byteCount: 16_384, alignment: 1) { chunk in
      while true {
        let count = read(appOutput, chunk.baseAddress, chunk.count)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return }
        unfinished += chunk[..<count]
        guard let last = unfinished.lastIndex(of: UInt8(ascii: "\n")) else { continue }
        write(Array(unfinished[...last]))
        unfinished.removeSubrange(...last)
      }
    }
  }

  private func write(_ bytes: [UInt8]) {
    do {
      try WholeWrite.write(bytes, to: descriptor)
    } catch {
      // The runner is gone: nobody is left to tell.
      appworld_exit(EXIT_FAILURE)
    }
  }
}

/// The lines of a descriptor, read as they come.
final class LineInput {
  private let descriptor: Int32
  private var buffer = LineBuffer()
  private var lines: [[UInt8]] = []

  init(descriptor: Int32) {
    self.descriptor = descriptor
  }

  /// Blocks until there is a whole line.
  ///
  /// - Returns: `nil` at the end; a last line without a newline is torn, and is not returned.
  func next() -> [UInt8]? {
    while lines.isEmpty {
      let isOpen = withUnsafeTemporaryAllocation(byteCount: 65_536, alignment: 1) { chunk in
        let count = read(descriptor, chunk.baseAddress, chunk.count)
        guard count > 0 else { return count < 0 && errno == EINTR }
        lines = buffer.append(UnsafeRawBufferPointer(rebasing: chunk[..<count])).reversed()
        return true
      }
      guard isOpen else { return nil }
    }
    return lines.popLast()
  }
}
