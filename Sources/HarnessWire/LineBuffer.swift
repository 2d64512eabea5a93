/// Cuts a stream of bytes into lines.
public struct LineBuffer: Sendable {
  private var pending: [UInt8] = []

  public init() {}

  /// The bytes after the last newline: a torn line, once the stream has ended.
  public var remainder: [UInt8] { pending }

  /// Takes the next bytes of the stream.
  ///
  /// - Returns: the lines that are now complete, newlines excluded.
  public mutating func append(_ bytes: some Collection<UInt8>) -> [[UInt8]] {
    var lines: [[UInt8]] = []
    var rest = bytes[...]
    while let newline = rest.firstIndex(of: UInt8(ascii: "\n")) {
      lines.append(pending + rest[..<newline])
      pending.removeAll(keepingCapacity: true)
      rest = rest[rest.index(after: newline)...]
    }
    pending.append(contentsOf: rest)
    return lines
  }
}
