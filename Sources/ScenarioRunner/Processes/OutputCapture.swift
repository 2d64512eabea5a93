import ScenarioCore

/// Keeps the beginning and the end of a stream, whatever its length.
struct OutputCapture {
  static let headLimitBytes = 64 * 1024
  static let tailLimitBytes = 64 * 1024

  private var head: [UInt8] = []
  private var tail: [UInt8] = []
  private var omittedBytes = 0

  mutating func append(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { append($0) }
  }

  mutating func append(_ bytes: UnsafeRawBufferPointer) {
    let room = min(bytes.count, Self.headLimitBytes - head.count)
    if room > 0 { head.append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes[..<room])) }
    tail.append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes[room...]))
    // Cut seldom, so that a flood costs a copy for each limit's worth and not for each read.
    if tail.count > 2 * Self.tailLimitBytes { cutTail() }
  }

  /// Takes what another stream kept.
  mutating func append(_ other: OutputCapture) {
    append(other.head)
    append(other.tail)
    omittedBytes += other.omittedBytes
  }

  private mutating func cutTail() {
    let surplus = tail.count - Self.tailLimitBytes
    guard surplus > 0 else { return }
    tail.removeFirst(surplus)
    omittedBytes += surplus
  }

  var text: CapturedText {
    var copy = self
    copy.cutTail()
    return CapturedText(head: copy.head, omittedBytes: copy.omittedBytes, tail: copy.tail)
  }

  /// What explains an end best: the last lines, oldest first; or those from the message of a Swift
  /// trap on, which a backtrace follows.
  func explanation(lineLimit: Int = 20) -> [String] {
    let end = String(decoding: tail.isEmpty ? head : tail, as: UTF8.self)
    let lines = end.split(separator: "\n", omittingEmptySubsequences: true).map(String.init)
    guard let trap = lines.lastIndex(where: { $0.contains("Fatal error: ") }) else {
      return lines.suffix(lineLimit)
    }
    return Array(lines[trap...].prefix(lineLimit))
  }
}
