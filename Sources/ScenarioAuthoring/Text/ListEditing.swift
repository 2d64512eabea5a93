import JSON
import SourceText

/// The edits that a change of a list comes to.
///
/// Where each element has a line of its own, or comments stand between them, only what changes is touched;
/// a list in one line is laid out anew, its elements as they are written.
struct ListEditing {
  private let list: JSONNode
  private let elements: [JSONNode]
  private let change: ListChange
  private let text: TextSurroundings

  init(list: JSONNode, change: ListChange) {
    self.list = list
    elements = list.arrayValue ?? []
    self.change = change
    text = TextSurroundings(list.location.file)
  }

  var edits: [TextEdit] {
    if change.isEmpty { return [] }
    let isSpread = elements.first.map { text.beginsLine($0.location.range.lowerBound) } ?? false
    return isSpread || hasComments ? editsInPlace : [wholeEdit]
  }

  private func entry(_ index: Int) -> ListChange.Entry {
    change.entries.indices.contains(index) ? change.entries[index] : .kept
  }

  private var hasComments: Bool {
    let range = list.location.range
    let starts = [range.lowerBound + 1] + elements.map(\.location.range.upperBound)
    let ends = elements.map(\.location.range.lowerBound) + [range.upperBound - 1]
    return zip(starts, ends).contains { start, end in
      text.file.bytes[start..<end].contains(UInt8(ascii: "/"))
    }
  }

  // MARK: - Anew

  private var wholeEdit: TextEdit {
    let kept = elements.indices.compactMap(element)
    let all =
      change.prepended.map { .value($0) } + kept + change.added.map { JSONLayout.Element.value($0) }
    return TextEdit(laidOut(all), at: list.location)
  }

  private func element(_ index: Int) -> JSONLayout.Element? {
    let node = elements[index]
    let written = node.location.file.text(in: node.location.range)
    let column = text.indentation(ofLineAt: node.location.range.lowerBound)
    switch entry(index) {
    case .kept: return .text(written, column: column)
    case .counted(let count):
      guard let value = node["count"] else { return .text(written, column: column) }
      let start = value.location.range.lowerBound - node.location.range.lowerBound
      var bytes = Array(written.utf8)
      bytes.replaceSubrange(start..<start + value.location.range.count, with: "\(count)".utf8)
      return .text(String(decoding: bytes, as: UTF8.self), column: column)
    case .replaced(let value): return .value(value)
    case .removed: return nil
    }
  }

  private func laidOut(_ all: [JSONLayout.Element]) -> String {
    let range = list.location.range
    let after = text.length(ofLineAt: range.upperBound - 1) - text.column(of: range.upperBound)
    let lines = all.compactMap(\.line)
    if lines.count == all.count {
      let line = "[" + lines.joined(separator: ", ") + "]"
      let column = text.column(of: range.lowerBound)
      if column + line.count + after <= JSONLayout.width { return line }
    }
    return JSONLayout.list(all, indentation: text.indentation(ofLineAt: range.lowerBound))
  }

  // MARK: - In place

  private var editsInPlace: [TextEdit] {
    let survivors = elements.indices.filter { !isRemoved($0) }
    var edits = elements.indices.compactMap(edit)
    let indentation = elements.first.map { text.column(of: $0.location.range.lowerBound) }
    let column = indentation ?? text.indentation(ofLineAt: list.location.range.lowerBound) + 2
    func written(_ values: [JSONValue]) -> String {
      values.map {
        "\n" + JSONLayout.blanks(column)
          + JSONLayout.text($0, indentation: column, column: column, following: 1)
      }.joined(separator: ",")
    }
    if !change.prepended.isEmpty {
      let isAlone = survivors.isEmpty && change.added.isEmpty
      edits.append(
        text.insertion(
          written(change.prepended) + (isAlone ? "" : ","), at: list.location.range.lowerBound + 1))
    }
    guard let last = survivors.last else {
      if !change.added.isEmpty {
        edits.append(text.insertion(written(change.added), at: list.location.range.lowerBound + 1))
      }
      return edits
    }
    return edits + ending(after: last, written(change.added))
  }

  /// What is to be done after the last element that stays: the comma, and what is added.
  private func ending(after last: Int, _ addition: String) -> [TextEdit] {
    let end = elements[last].location.range.upperBound
    let comma = text.comma(after: end)
    guard !addition.isEmpty else {
      // A comma that nothing follows any more.
      let isNewLast = last < elements.count - 1
      guard isNewLast, let comma, !hasTrailingComma else { return [] }
      return [TextEdit("", at: location(comma..<comma + 1))]
    }
    return text.edits(adding: addition, after: end, in: list, isClosed: hasTrailingComma)
  }

  private var hasTrailingComma: Bool {
    elements.last.map { text.comma(after: $0.location.range.upperBound) != nil } ?? false
  }

  private func isRemoved(_ index: Int) -> Bool {
    if case .removed = entry(index) { true } else { false }
  }

  private func edit(_ index: Int) -> TextEdit? {
    let node = elements[index]
    let start = node.location.range.lowerBound
    switch entry(index) {
    case .kept: return nil
    case .counted(let count):
      return node["count"].map { TextEdit("\(count)", at: $0.location) }
    case .replaced(let value):
      let column = text.column(of: start)
      return TextEdit(
        JSONLayout.text(value, indentation: column, column: column, following: 1),
        at: node.location)
    case .removed:
      let end = node.location.range.upperBound
      let whole = start..<(text.comma(after: end).map { $0 + 1 } ?? end)
      return TextEdit("", at: location(text.wholeLines(whole, within: list)))
    }
  }

  private func location(_ range: Range<Int>) -> SourceLocation {
    SourceLocation(file: text.file, range: range)
  }
}

/// What stands around a place of a file: lines, blanks, commas and comments.
struct TextSurroundings {
  let file: SourceFile
  private var bytes: [UInt8] { file.bytes }

  init(_ file: SourceFile) { self.file = file }

  var hasWindowsLines: Bool {
    guard let feed = bytes.firstIndex(of: UInt8(ascii: "\n")), feed > 0 else { return false }
    return bytes[feed - 1] == UInt8(ascii: "\r")
  }

  func line(of offset: Int) -> Int { file.line(at: offset) }

  /// Characters before a place in its line.
  func column(of offset: Int) -> Int { file.position(at: offset).column - 1 }

  /// Characters of the line that a place is in.
  func length(ofLineAt offset: Int) -> Int { file.text(ofLine: line(of: offset)).count }

  func indentation(ofLineAt offset: Int) -> Int {
    file.text(ofLine: line(of: offset)).prefix { $0 == " " || $0 == "\t" }.count
  }

  /// Whether only blanks stand before a place in its line.
  func beginsLine(_ offset: Int) -> Bool { column(of: offset) == indentation(ofLineAt: offset) }

  /// Where the comma is that comes next, blanks and comments set aside.
  func comma(after offset: Int) -> Int? {
    let next = afterTrivia(offset)
    return next < bytes.count && bytes[next] == UInt8(ascii: ",") ? next : nil
  }

  /// Whether an object or a list ends in the line of a place.
  func closes(_ node: JSONNode, inLineAt offset: Int) -> Bool {
    line(of: node.location.range.upperBound - 1) == line(of: offset)
  }

  /// The end of the line where only blanks and a comment follow a place in it, else the place.
  func endOfComment(after offset: Int, before node: JSONNode) -> Int {
    let end = file.range(ofLine: line(of: offset)).upperBound
    guard end < node.location.range.upperBound, afterTrivia(offset) >= end else { return offset }
    return end
  }

  /// The edits that add something after an element, with the comma between them.
  ///
  /// - Parameters:
  ///   - end: the element's end.
  ///   - isClosed: whether a comma follows the addition, where one followed the element.
  func edits(
    adding addition: String, after end: Int, in node: JSONNode, isClosed: Bool
  ) -> [TextEdit] {
    let comma = comma(after: end)
    let place = endOfComment(after: comma.map { $0 + 1 } ?? end, before: node)
    if comma != nil { return [insertion(addition + (isClosed ? "," : ""), at: place)] }
    if place == end { return [insertion("," + addition, at: end)] }
    return [insertion(",", at: end), insertion(addition, at: place)]
  }

  func insertion(_ text: String, at offset: Int) -> TextEdit {
    TextEdit(text, at: SourceLocation(file: file, range: offset..<offset))
  }

  /// A range with its lines' ends, and a comment there, where nothing else stands in these lines.
  func wholeLines(_ range: Range<Int>, within node: JSONNode) -> Range<Int> {
    let end = endOfComment(after: range.upperBound, before: node)
    let isAlone = end > range.upperBound || isEndOfLine(range.upperBound)
    guard beginsLine(range.lowerBound), isAlone else { return range }
    let start = file.range(ofLine: line(of: range.lowerBound)).lowerBound
    let next = bytes[end...].firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? bytes.count
    return start..<next
  }

  private func isEndOfLine(_ offset: Int) -> Bool {
    offset >= file.range(ofLine: line(of: offset)).upperBound
  }

  private func afterTrivia(_ offset: Int) -> Int {
    var at = offset
    while at < bytes.count {
      switch bytes[at] {
      case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\t"), UInt8(ascii: "\r"): at += 1
      case UInt8(ascii: "/") where at + 1 < bytes.count: at = afterComment(at)
      case 0xC2 where at + 1 < bytes.count && bytes[at + 1] == 0xA0: at += 2
      default: return at
      }
    }
    return at
  }

  private func afterComment(_ start: Int) -> Int {
    if bytes[start + 1] == UInt8(ascii: "/") {
      return bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
    }
    var at = start + 2
    while at + 1 < bytes.count,
      !(bytes[at] == UInt8(ascii: "*") && bytes[at + 1] == UInt8(ascii: "/"))
    {
      at += 1
    }
    return min(at + 2, bytes.count)
  }
}
