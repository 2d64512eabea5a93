import CSupervision
import Foundation

/// A file descriptor that is closed with its owner.
struct Descriptor: ~Copyable {
  private(set) var number: Int32

  init(_ number: Int32) {
    self.number = number
  }

  deinit { if number >= 0 { close(number) } }

  var isOpen: Bool { number >= 0 }

  mutating func closeNow() {
    if number >= 0 { close(number) }
    number = -1
  }

  func makeNonBlocking() {
    _ = fcntl(number, F_SETFL, fcntl(number, F_GETFL) | O_NONBLOCK)
  }
}

/// The two ends of a pipe that no child inherits.
struct Pipe: ~Copyable {
  var reading: Descriptor
  var writing: Descriptor

  init() throws(SystemError) {
    var ends: [Int32] = [-1, -1]
    guard csupervision_pipe(&ends) == 0 else { throw SystemError("pipe") }
    reading = Descriptor(ends[0])
    writing = Descriptor(ends[1])
  }

  /// Keeps the end to read from, and closes the other.
  consuming func takeReading() -> Descriptor { reading }

  /// Keeps the end to write to, and closes the other.
  consuming func takeWriting() -> Descriptor { writing }
}

/// Reads from a pipe without blocking.
enum ReadBuffer {
  enum Outcome: Equatable {
    case some, nothingNow
    /// At the end, with 0, or by an error, with its number.
    case ended(code: Int32)
  }

  /// How much one read takes at most.
  static let sizeBytes = 64 * 1024

  static func read(from descriptor: Int32, _ take: (UnsafeRawBufferPointer) -> Void) -> Outcome {
    withUnsafeTemporaryAllocation(byteCount: sizeBytes, alignment: 1) { buffer in
      let count = Foundation.read(descriptor, buffer.baseAddress, buffer.count)
      if count > 0 {
        take(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        return .some
      }
      let code = count < 0 ? errno : 0
      return code == EAGAIN || code == EINTR ? .nothingNow : .ended(code: code)
    }
  }
}

/// A system call that failed.
package struct SystemError: Error, CustomStringConvertible {
  package var operation: String
  package var code: Int32

  package init(_ operation: String, code: Int32 = errno) {
    self.operation = operation
    self.code = code
  }

  package var reason: String { String(cString: strerror(code)) }

  /// The system's words for an error of its own; else what the error says itself.
  package static func reason(of error: any Error) -> String {
    (error as? SystemError)?.reason ?? "\(error)"
  }

  package var description: String { "\(operation): \(reason)" }

  /// Why something can't start because of it, and what to do.
  ///
  /// - Parameter what: the subject of the sentence, as `The run`.
  package func message(whereStarting what: String) -> String {
    let remedy =
      switch code {
      case EMFILE, ENFILE: "Allow more open files, with ulimit -n."
      case EAGAIN: "Allow more processes, with ulimit -u, or more memory, with ulimit -v."
      default: "Set TMPDIR to a folder that can be written."
      }
    return "\(what) can't start: \(self). \(remedy)"
  }
}

/// What this process may still have.
package enum ProcessLimits {
  /// Threads and descriptors of libdispatch: where it gets none of the former it waits for ever, and of
  /// the latter it traps.
  private static let ownThreads = 8
  private static let ownDescriptors = 10

  /// - Parameter workers: how many threads run scenarios.
  /// - Throws: where that isn't enough for a run.
  package static func check(workers: Int) throws(SystemError) {
    let code = csupervision_check_threads(Int32(clamping: workers + ownThreads))
    guard code == 0 else { throw SystemError("start a thread", code: code) }
    var opened: [Int32] = []
    defer { for descriptor in opened { close(descriptor) } }
    while opened.count < ownDescriptors {
      let descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { throw SystemError("open files") }
      opened.append(descriptor)
    }
  }
}

/// Writing to an app that is gone must be an error, not the end of this process.
package enum BrokenPipes {
  /// For the calling thread alone, so that a process that runs scenarios beside its own work keeps
  /// its signal actions. The signal is sent to the thread that writes; apps get an empty mask.
  package static func blockSignal() {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGPIPE)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
  }
}
