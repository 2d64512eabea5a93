import JSON
import SourceText

/// A list or an object of a file as it is written, item by item, with all that stands between them: what
/// isn't changed stays as it is, comments and layout too.
struct ContainerText {
  /// An element, or a member with its key.
  private struct Item {
    /// What stands before it: line breaks, blanks, comments.
    var lead: String
    var text: String
    /// Between it and its comma.
    var trail = ""
    /// What follows the comma in its line.
    var comment = ""
    /// The indentation of the line that it begins in.
    var indentation: Int

    var beginsLine: Bool {
      lead.lastIndex(where: \.isNewline).map { lead[$0...].allSatisfy(\.isWhitespace) } ?? false
    }

    /// - Parameter node: the element as it is written.
    mutating func setCount(_ count: Int, of node: JSONNode) {
      guard let value = node["count"]?.location.range else { return }
      let start = value.lowerBound - node.location.range.lowerBound
      var bytes = Array(text.utf8)
      bytes.replaceSubrange(start..<start + value.count, with: "\(count)".utf8)
      text = String(decoding: bytes, as: UTF8.self)
    }
  }

  private let file: SourceFile
  private let range: Range<Int>
  private let nodes: [JSONNode]
  private var items: [Item] = []
  /// Before the closing bracket.
  private var end = ""
  private var hasLastComma = false
  /// Characters that follow the last item in its line, where the container ends in that line.
  private var following = 0

  init(_ container: JSONNode) {
    (file, range) = (container.location.file, container.location.range)
    nodes = container.arrayValue ?? []
    let members = container.objectValue ?? []
    let ranges =
      nodes.map(\.location.range)
      + members.map { $0.keyLocation.range.lowerBound..<$0.value.location.range.upperBound }
    var place = range.lowerBound + 1
    for item in ranges { place = add(item, after: place) }
    end = file.text(in: place..<range.upperBound - 1)
    let last = ranges.last?.upperBound ?? range.lowerBound
    if file.line(at: last) == file.line(at: range.upperBound - 1) {
      following = length(ofLineAt: last) - column(of: last)
    }
  }

  /// - Returns: where the next one begins, or what is before it.
  private mutating func add(_ item: Range<Int>, after start: Int) -> Int {
    let next = endOfTrivia(from: item.upperBound, limit: range.upperBound)
    let comma = file.bytes[next] == UInt8(ascii: ",") ? next : nil
    let behind = comma.map { $0 + 1 } ?? item.upperBound
    let lineEnd = file.range(ofLine: file.line(at: behind)).upperBound
    let isLast = lineEnd < range.upperBound && endOfTrivia(from: behind, limit: lineEnd) == lineEnd
    let end = isLast ? lineEnd : behind
    items.append(
      Item(
        lead: file.text(in: start..<item.lowerBound), text: file.text(in: item),
        trail: file.text(in: item.upperBound..<(comma ?? item.upperBound)),
        comment: file.text(in: behind..<end), indentation: indentation(ofLineAt: item.lowerBound)))
    hasLastComma = comma != nil
    return end
  }

  /// The whole, as it is now.
  var text: String {
    let inner = items.enumerated().map { index, item in
      let comma = index < items.count - 1 || hasLastComma ? "," : ""
      return item.lead + item.text + item.trail + comma + item.comment
    }.joined()
    return file.text(in: range.lowerBound..<range.lowerBound + 1) + inner + end
      + file.text(in: range.upperBound - 1..<range.upperBound)
  }

  // MARK: - Lists

  /// A list in one line is laid out anew, unless comments stand in it.
  mutating func apply(_ change: ListChange) {
    if change.isEmpty { return }
    let hasLayout =
      items.first?.beginsLine == true
      || ([end] + items.flatMap { [$0.lead, $0.trail, $0.comment] }).contains { $0.contains("/") }
    for index in nodes.indices.reversed() {
      switch change.entries[index] {
      case nil: break
      case .counted(let count): items[index].setCount(count, of: nodes[index])
      case .replaced(let value):
        let column = column(of: nodes[index].location.range.lowerBound)
        items[index].text = Self.text(value, at: column)
      case .removed: remove(at: index)
      }
    }
    let column = column(ofItemsAfter: range.lowerBound)
    func new(_ value: JSONValue) -> Item {
      Item(
        lead: "\n" + JSONLayout.blanks(column), text: Self.text(value, at: column),
        indentation: column)
    }
    items = change.prepended.map(new) + items + change.added.map(new)
    if !hasLayout { layOut() }
  }

  private static func text(_ value: JSONValue, at column: Int) -> String {
    JSONLayout.text(value, indentation: column, column: column, following: 1)
  }

  /// What stands above a removed item stays.
  private mutating func remove(at index: Int) {
    let lead = items.remove(at: index).lead
    var rest = items.indices.contains(index) ? items[index].lead : end
    if rest.contains(where: \.isNewline) {
      var above = lead[...]
      while let last = above.last, last.isWhitespace, !last.isNewline { above.removeLast() }
      rest = above.dropLast(above.last?.isNewline == true ? 1 : 0) + rest
    } else {
      rest = lead + rest.drop { $0.isWhitespace }
    }
    if items.indices.contains(index) { items[index].lead = rest } else { end = rest }
  }

  /// In one line where that isn't too long, or else with a line for each item.
  private mutating func layOut() {
    let line = items.map(\.text).joined(separator: ", ")
    let after = length(ofLineAt: range.upperBound - 1) - column(of: range.upperBound)
    let length = column(of: range.lowerBound) + line.count + 2 + after
    let isLine = !line.contains(where: \.isNewline) && length <= JSONLayout.width
    let indentation = indentation(ofLineAt: range.lowerBound)
    for index in items.indices {
      items[index].trail = ""
      if isLine {
        items[index].lead = index == 0 ? "" : " "
      } else {
        items[index].lead = "\n" + JSONLayout.blanks(indentation + 2)
        items[index].text = JSONLayout.moved(
          items[index].text, from: items[index].indentation, to: indentation + 2)
      }
    }
    (end, hasLastComma) = (isLine ? "" : "\n" + JSONLayout.blanks(indentation), false)
  }

  // MARK: - Objects

  /// Adds a member at the end: in the line of the others where there is room.
  mutating func append(_ key: String, _ value: JSONValue) {
    let name = "\(JSONValue.string(key).text()): "
    let line = name + JSONLayout.line(value)
    let isLine = following > 0 && !hasLastComma && !text.contains(where: \.isNewline)
    let length = length(ofLineAt: range.lowerBound) + line.count + 2
    if isLine, length <= JSONLayout.width {
      items.append(Item(lead: " ", text: line, indentation: 0))
    } else {
      let column = column(ofItemsAfter: range.lowerBound)
      let written = JSONLayout.text(
        value, indentation: column, column: column + name.count, following: following)
      items.append(
        Item(lead: "\n" + JSONLayout.blanks(column), text: name + written, indentation: column))
    }
  }

  /// Adds a member before another one.
  mutating func insert(_ key: String, _ value: JSONValue, at index: Int) {
    let name = "\(JSONValue.string(key).text()): "
    let column = items[index].indentation
    let written = JSONLayout.text(value, indentation: column, column: column + name.count)
    var new = items[index]
    (new.text, new.trail, new.comment) = (name + written, "", "")
    items[index].lead = new.beginsLine ? "\n" + JSONLayout.blanks(column) : " "
    items.insert(new, at: index)
  }

  // MARK: - Lines

  /// Where items begin that have lines of their own.
  private func column(ofItemsAfter opening: Int) -> Int {
    items.last { $0.beginsLine }?.indentation ?? indentation(ofLineAt: opening) + 2
  }

  /// Characters before a place in its line.
  private func column(of offset: Int) -> Int { file.position(at: offset).column - 1 }

  private func length(ofLineAt offset: Int) -> Int {
    file.text(ofLine: file.line(at: offset)).count
  }

  private func indentation(ofLineAt offset: Int) -> Int {
    file.bytes[file.range(ofLine: file.line(at: offset))].prefix { $0 == 0x20 || $0 == 0x09 }.count
  }

  /// Past blanks and comments that end before a limit.
  private func endOfTrivia(from offset: Int, limit: Int) -> Int {
    var place = offset
    while place < limit {
      let rest = file.bytes[place..<limit]
      if rest.starts(with: "//".utf8) {
        place = rest.firstIndex(of: UInt8(ascii: "\n")) ?? limit
      } else if rest.starts(with: "/*".utf8) {
        guard let close = rest.dropFirst(2).firstRange(of: "*/".utf8) else { return place }
        place = close.upperBound
      } else if rest.starts(with: "\u{A0}".utf8) {
        place += 2
      } else if " \t\r\n".utf8.contains(file.bytes[place]) {
        place += 1
      } else {
        return place
      }
    }
    return place
  }
}
