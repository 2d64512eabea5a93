import ScenarioCore

/// Keeps the beginning and the end of a stream, whatever its length.
struct OutputCapture {
  static let headLimitBytes = 64 * 1024
  static let tailLimitBytes = 64 * 1024

  private var head: [UInt8] = []
  private var tail: [UInt8] = []
  private var omittedBytes = 0

  mutating func append(_ bytes: some Collection<UInt8>) {
    let room = Self.headLimitBytes - head.count
    head.append(contentsOf: bytes.prefix(room))
    tail.append(contentsOf: bytes.dropFirst(room))
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

  /// The last lines, oldest first.
  func lastLines(_ count: Int) -> [String] {
    let end = String(decoding: tail.isEmpty ? head : tail, as: UTF8.self)
    return end.split(separator: "\n", omittingEmptySubsequences: true).suffix(count).map(
      String.init)
  }
}
