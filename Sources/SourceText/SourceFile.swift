/// A text file that people write, with its lines.
///
/// Positions are UTF-8 offsets into `bytes`; a leading byte-order mark is part of them.
package final class SourceFile: Sendable {
  /// The path as messages show it.
  package let path: String
  package let bytes: [UInt8]
  /// The offset of the first byte of each line.
  package let lineStarts: [Int]

  package init(path: String, bytes: [UInt8]) {
    self.path = path
    self.bytes = bytes
    lineStarts = [0] + bytes.indices.filter { bytes[$0] == UInt8(ascii: "\n") }.map { $0 + 1 }
  }

  package convenience init(path: String, text: String) {
    self.init(path: path, bytes: Array(text.utf8))
  }
}

/// A place in a source file, as people count: line and column from 1, columns in characters.
package struct SourcePosition: Sendable, Hashable, Comparable {
  package var line: Int
  package var column: Int

  package init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  package static func < (left: Self, right: Self) -> Bool {
    (left.line, left.column) < (right.line, right.column)
  }
}

extension SourceFile {
  package func position(at offset: Int) -> SourcePosition {
    let line = lineIndex(at: offset)
    let start = line == 0 && bytes.starts(with: Self.byteOrderMark) ? 3 : lineStarts[line]
    let before = String(decoding: bytes[min(start, offset)..<offset], as: UTF8.self)
    return SourcePosition(line: line + 1, column: before.count + 1)
  }

  /// The text of a line, counted from 1, without its line break.
  package func text(ofLine line: Int) -> String {
    let start = lineStarts[line - 1]
    var end = line < lineStarts.count ? lineStarts[line] - 1 : bytes.count
    if end > start, bytes[end - 1] == UInt8(ascii: "\r") { end -= 1 }
    let from = line == 1 && bytes.starts(with: Self.byteOrderMark) ? start + 3 : start
    return String(decoding: bytes[min(from, end)..<end], as: UTF8.self)
  }

  package static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  private func lineIndex(at offset: Int) -> Int {
    var low = 0
    var high = lineStarts.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if lineStarts[middle] <= offset { low = middle } else { high = middle }
    }
    return low
  }
}
