import Foundation
import HarnessProtocol
import ScenarioRunner

/// The lines that come from a terminal or a pipe.
final class LineInput {
  enum Line {
    case text(String)
    /// Nothing comes any more: the end of the input, or the terminal is gone.
    case end
    case interrupted(signal: Int32)
  }

  private let descriptor: Int32
  private let cancellation: Cancellation
  private var buffer = LineBuffer(lineLimitBytes: 1024 * 1024)
  private var lines: ArraySlice<[UInt8]> = []
  private var isAtEnd = false

  /// - Parameters:
  ///   - descriptor: negative where there is no input.
  ///   - cancellation: wakes who waits for a line; must be open.
  init(_ descriptor: Int32, cancellation: Cancellation) {
    self.descriptor = descriptor
    self.cancellation = cancellation
    isAtEnd = descriptor < 0
  }

  /// Waits for the next line; the last one needs no line break.
  func next() -> Line {
    while true {
      if let signal = cancellation.cancellingSignal { return .interrupted(signal: signal) }
      if let line = lines.popFirst() { return .text(Self.text(line)) }
      if isAtEnd { return .end }
      wait()
    }
  }

  /// Whether the next line says yes.
  func isYes() -> Bool {
    guard case .text(let answer) = next() else { return false }
    return ["y", "yes"].contains(answer.trimmingCharacters(in: .whitespaces).lowercased())
  }

  private func wait() {
    var waited = [
      pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: cancellation.descriptor, events: Int16(POLLIN), revents: 0),
    ]
    guard poll(&waited, nfds_t(waited.count), -1) > 0, waited[0].revents != 0 else { return }
    var chunk = [UInt8](repeating: 0, count: 4096)
    let count = read(descriptor, &chunk, chunk.count)
    if count < 0, errno == EINTR || errno == EAGAIN { return }
    guard count > 0 else {
      isAtEnd = true
      if !buffer.remainder.isEmpty { lines.append(buffer.remainder) }
      return
    }
    lines += buffer.append(chunk[..<count])
  }

  private static func text(_ line: [UInt8]) -> String {
    String(decoding: line.last == UInt8(ascii: "\r") ? line.dropLast() : line, as: UTF8.self)
  }
}
