import Foundation
import Synchronization

/// A text file that people write, with its lines.
///
/// Positions are UTF-8 offsets into `bytes`; a leading byte-order mark is part of them.
package final class SourceFile: Sendable {
  /// The path as messages show it.
  package let path: String
  package let bytes: [UInt8]
  /// Where the bytes begin, if they are a piece of a larger file.
  private let start: SourcePosition
  /// Found when the first position is asked for: most files never are.
  private let knownLineStarts = Mutex<[Int]?>(nil)
  /// Places in long lines with their columns, from 0, so that counting needn't begin at the line's start.
  private let knownColumns = Mutex<[(offset: Int, column: Int)]?>(nil)

  package convenience init(path: String, bytes: [UInt8]) {
    self.init(path: path, bytes: bytes, start: SourcePosition(line: 1, column: 1))
  }

  private init(path: String, bytes: [UInt8], start: SourcePosition) {
    self.path = path
    self.bytes = bytes
    self.start = start
  }

  package convenience init(path: String, text: String) {
    self.init(path: path, bytes: Array(text.utf8))
  }

  /// A piece of a file that is too large to be kept: its positions are those of the whole file.
  package convenience init(
    path: String, piece range: Range<Int>, of whole: UnsafeBufferPointer<UInt8>
  ) {
    let before = UnsafeBufferPointer(rebasing: whole[..<range.lowerBound])
    var (line, lineStart) = (1, whole.starts(with: Self.byteOrderMark) ? 3 : 0)
    while let lineBreak = Self.lineBreak(in: before, from: lineStart) {
      line += 1
      lineStart = lineBreak + 1
    }
    let column = 1 + Self.characterCount(of: before[min(lineStart, before.count)...])
    self.init(
      path: path, bytes: Array(whole[range]), start: SourcePosition(line: line, column: column))
  }

  private static func lineBreak(in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
    guard let base = bytes.baseAddress, start < bytes.count else { return nil }
    let found = memchr(base + start, Int32(UInt8(ascii: "\n")), bytes.count - start)
    return found.map { UnsafeRawPointer($0) - UnsafeRawPointer(base) }
  }

  /// The same place with other words.
  package func showing(path: String, bytes: [UInt8]) -> SourceFile {
    SourceFile(path: path, bytes: bytes, start: start)
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
      while case let from = at + Self.columnStepBytes,
        let next = Self.boundary(in: from..<max(from, end), of: bytes)
      {
        column += characterCount(in: at..<next)
        at = next
        columns.append((at, column))
      }
    }
    return columns
  }

  /// A place where one character certainly ends: between two of ASCII, which aren't a line break.
  private static func boundary<Bytes: RandomAccessCollection<UInt8>>(
    in range: Range<Int>, of bytes: Bytes
  ) -> Int? where Bytes.Index == Int {
    range.first { bytes[$0 - 1] < 0x80 && bytes[$0 - 1] != UInt8(ascii: "\r") && bytes[$0] < 0x80 }
  }

  /// Counts in parts, so that no text is made that is as long as a line can be.
  private static func characterCount(of line: Slice<UnsafeBufferPointer<UInt8>>) -> Int {
    var (count, rest) = (0, line)
    while !rest.isEmpty {
      let next = min(rest.startIndex + columnStepBytes, rest.endIndex)
      let end = boundary(in: next..<rest.endIndex, of: rest) ?? rest.endIndex
      count += String(decoding: rest[..<end], as: UTF8.self).count
      rest = rest[end...]
    }
    return count
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
    return SourcePosition(
      line: line + self.start.line, column: count + (line == 0 ? self.start.column : 1))
  }

  /// The line at an offset, counted from 1.
  package func line(at offset: Int) -> Int {
    Self.lineIndex(at: offset, in: lineStarts) + start.line
  }

  /// The text of a line, counted from 1, without its line break.
  package func text(ofLine line: Int) -> String {
    String(decoding: bytes[range(ofLine: line)], as: UTF8.self)
  }

  /// The offsets of a line, counted from 1, without its line break and without a byte-order mark.
  package func range(ofLine line: Int) -> Range<Int> {
    let starts = lineStarts
    let index = line - self.start.line
    let start = starts[index]
    var end = index + 1 < starts.count ? starts[index + 1] - 1 : bytes.count
    if end > start, bytes[end - 1] == UInt8(ascii: "\r") { end -= 1 }
    let from = index == 0 && bytes.starts(with: Self.byteOrderMark) ? start + 3 : start
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
