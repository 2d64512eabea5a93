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

  /// What explains an end best: the last lines, oldest first; or those of a Swift crash.
  func explanation(lineLimit: Int = 20) -> [String] {
    let end = String(decoding: tail.isEmpty ? head : tail, as: UTF8.self)
    let lines = end.split(separator: "\n", omittingEmptySubsequences: true).map(String.init)
    if let crash = Self.crash(in: lines) { return Array(crash.prefix(lineLimit)) }
    guard let trap = lines.lastIndex(where: { $0.contains("Fatal error: ") }) else {
      return lines.suffix(lineLimit)
    }
    return Array(lines[trap...].prefix(lineLimit))
  }

  /// The cause and the frames of the backtrace that Swift writes when a process crashes, without the
  /// registers and images that follow: the app's own frames first, then those of the system's libraries.
  private static func crash(in lines: [String]) -> [String]? {
    guard
      let thread = lines.lastIndex(where: { $0.hasPrefix("Thread ") && $0.hasSuffix(" crashed:") })
    else { return nil }
    let causes = lines[..<thread].filter {
      $0.contains("Fatal error: ") || $0.hasPrefix("*** Program crashed: ")
    }
    let frames = lines[(thread + 1)...].prefix { line in
      !["Registers:", "Thread ", "Images "].contains(where: line.hasPrefix)
    }
    let isOfSystem = { (line: String) in
      line.contains(#/\ in (lib[^ ]*\.(so|dylib)|ld-)/#) || line.contains(" [system] ")
    }
    let own = frames.filter { !isOfSystem($0) }
    return Array(causes.suffix(2)) + [lines[thread]] + own + frames.filter(isOfSystem)
  }
}
