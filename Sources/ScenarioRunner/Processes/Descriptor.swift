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
