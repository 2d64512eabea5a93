import Synchronization

/// A text file that people write, with its lines.
///
/// Positions are UTF-8 offsets into `bytes`; a leading byte-order mark is part of them.
package final class SourceFile: Sendable {
  /// The path as messages show it.
  package let path: String
  package let bytes: [UInt8]
  /// Found when the first position is asked for: most files never are.
  private let knownLineStarts = Mutex<[Int]?>(nil)
  /// Places in long lines with their columns, from 0, so that counting needn't begin at the line's start.
  private let knownColumns = Mutex<[(offset: Int, column: Int)]?>(nil)

  package init(path: String, bytes: [UInt8]) {
    self.path = path
    self.bytes = bytes
  }

  package convenience init(path: String, text: String) {
    self.init(path: path, bytes: Array(text.utf8))
  }

  /// The offset of the first byte of each line.
  package var lineStarts: [Int] {
    knownLineStarts.withLock { known in
      if let known { return known }
      let found = Self.lineStarts(of: bytes)
      known = found
      return found
    }
  }

  /// The last place at or before an offset whose column is known, where its line is long.
  private func knownColumn(upTo offset: Int) -> (offset: Int, column: Int)? {
    let starts = lineStarts
    return knownColumns.withLock { known in
      let columns = known ?? columns(from: starts)
      known = columns
      var (low, high) = (0, columns.count)
      while low < high {
        let middle = (low + high) / 2
        if columns[middle].offset <= offset { low = middle + 1 } else { high = middle }
      }
      return low > 0 ? columns[low - 1] : nil
    }
  }

  private static let columnStepBytes = 4096

  private func columns(from starts: [Int]) -> [(offset: Int, column: Int)] {
    var columns: [(offset: Int, column: Int)] = []
    for (index, start) in starts.enumerated() {
      let end = index + 1 < starts.count ? starts[index + 1] : bytes.count
      var (at, column) = (index == 0 && bytes.starts(with: Self.byteOrderMark) ? 3 : start, 0)
      while let next = boundary(in: at + Self.columnStepBytes..<max(at + Self.columnStepBytes, end))
      {
        column += characterCount(in: at..<next)
        at = next
        columns.append((at, column))
      }
    }
    return columns
  }

  /// A place where one character certainly ends: between two of ASCII, which aren't a line break.
  private func boundary(in range: Range<Int>) -> Int? {
    range.first { bytes[$0 - 1] < 0x80 && bytes[$0 - 1] != UInt8(ascii: "\r") && bytes[$0] < 0x80 }
  }

  private func characterCount(in range: Range<Int>) -> Int {
    String(decoding: bytes[range], as: UTF8.self).count
  }

  private static func lineStarts(of bytes: [UInt8]) -> [Int] {
    var starts = [0]
    bytes.withUnsafeBufferPointer { buffer in
      for offset in buffer.indices where buffer[offset] == UInt8(ascii: "\n") {
        starts.append(offset + 1)
      }
    }
    return starts
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
    let starts = lineStarts
    let line = Self.lineIndex(at: offset, in: starts)
    let start = line == 0 && bytes.starts(with: Self.byteOrderMark) ? 3 : starts[line]
    let isFar = offset - start > Self.columnStepBytes
    let known = isFar ? knownColumn(upTo: offset).flatMap { $0.offset > start ? $0 : nil } : nil
    let (from, column) = known ?? (start, 0)
    let count = column + characterCount(in: min(from, offset)..<offset)
    return SourcePosition(line: line + 1, column: count + 1)
  }

  /// The line at an offset, counted from 1.
  package func line(at offset: Int) -> Int {
    Self.lineIndex(at: offset, in: lineStarts) + 1
  }

  /// The text of a line, counted from 1, without its line break.
  package func text(ofLine line: Int) -> String {
    String(decoding: bytes[range(ofLine: line)], as: UTF8.self)
  }

  /// The offsets of a line, counted from 1, without its line break and without a byte-order mark.
  package func range(ofLine line: Int) -> Range<Int> {
    let starts = lineStarts
    let start = starts[line - 1]
    var end = line < starts.count ? starts[line] - 1 : bytes.count
    if end > start, bytes[end - 1] == UInt8(ascii: "\r") { end -= 1 }
    let from = line == 1 && bytes.starts(with: Self.byteOrderMark) ? start + 3 : start
    return min(from, end)..<end
  }

  /// The text of a span.
  package func text(in range: Range<Int>) -> String {
    String(decoding: bytes[range], as: UTF8.self)
  }

  package static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  private static func lineIndex(at offset: Int, in starts: [Int]) -> Int {
    var low = 0
    var high = starts.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if starts[middle] <= offset { low = middle } else { high = middle }
    }
    return low
  }
}

/// A span of a source file.
package struct SourceLocation: Sendable {
  package var file: SourceFile
  /// UTF-8 offsets.
  package var range: Range<Int>

  package init(file: SourceFile, range: Range<Int>) {
    self.file = file
    self.range = range
  }

  package var path: String { file.path }
  package var position: SourcePosition { file.position(at: range.lowerBound) }
  /// `path:line:column`
  package var description: String { "\(path):\(position.line):\(position.column)" }
}
