import SourceText

/// Words diagnostics for people: place, message, source line with carets, suggestions, notes.
package struct DiagnosticRenderer: Sendable {
  private let outlet: Outlet
  private let style: TextStyle
  /// The columns that a source line may take, its number included.
  private let width: Int

  package init(_ outlet: Outlet = Outlet(), isColored: Bool = false, width: Int = 100) {
    self.outlet = outlet
    style = TextStyle(isColored: isColored)
    self.width = width
  }

  /// Lines that end with a line break each.
  package func render(_ diagnostics: [Diagnostic]) -> String {
    outlet.masked(diagnostics).flatMap { diagnostic in
      let place = diagnostic.location?.description ?? diagnostic.path
      let color = diagnostic.severity == .error ? TextStyle.Paint.red : .yellow
      return [headline(place, diagnostic.severity.rawValue, color, diagnostic.message)]
        + details(diagnostic, color)
    }.map { $0 + "\n" }.joined()
  }

  /// What stands below the message.
  func details(of diagnostic: Diagnostic) -> [String] {
    outlet.masked([diagnostic]).flatMap { details($0, .yellow) }
  }

  private func details(_ diagnostic: Diagnostic, _ color: TextStyle.Paint) -> [String] {
    let hint = Wording.didYouMean(diagnostic.suggestions)
    let lines = diagnostic.location.map { excerpt($0, color, hint: hint) }
    return (lines ?? (hint.isEmpty ? [] : ["  \(hint)"]))
      + diagnostic.notes.flatMap { note in
        [headline(note.location.description, "note", .cyan, note.message)]
          + excerpt(note.location, .cyan)
      }
  }

  private func headline(
    _ place: String, _ label: String, _ color: TextStyle.Paint, _ message: String
  ) -> String {
    style.paint(Sanitizer.line(place) + ":", .bold) + " " + style.paint(label + ":", color) + " "
      + style.paint(Sanitizer.line(message), .bold)
  }

  private func excerpt(
    _ location: SourceLocation, _ color: TextStyle.Paint, hint: String = ""
  ) -> [String] {
    let number = String(location.file.line(at: location.range.lowerBound))
    let gutter = String(repeating: " ", count: max(4, number.count + 1) - number.count)
    let blank = String(repeating: " ", count: gutter.count + number.count)
    let excerpt = SourceExcerpt(location, width: max(20, width - blank.count - 3))
    let carets = excerpt.underline.drop { $0 == " " }
    let indent = excerpt.underline.dropLast(carets.count)
    return [
      style.paint("\(gutter)\(number) | ", .dim) + excerpt.text,
      style.paint("\(blank) | ", .dim) + indent + style.paint(String(carets), color)
        + (hint.isEmpty ? "" : " " + style.paint(hint, color)),
    ]
  }
}

/// A source line with carets under a span, cut to what fits.
struct SourceExcerpt {
  var text: String
  /// Blanks up to the span, then carets.
  var underline: String

  private struct Cell {
    var text: String
    var width: Int
    var offset: Int
  }

  /// - Parameter width: the columns that there are for the text.
  init(_ location: SourceLocation, width: Int) {
    let file = location.file
    let start = location.range.lowerBound
    let lineRange = file.range(ofLine: file.line(at: start))
    let end = min(max(location.range.upperBound, start), lineRange.upperBound)
    // A line can be megabytes long: only what is near the span is looked at.
    let reach = width * 8
    let from = Self.characterStart(max(lineRange.lowerBound, start - reach), in: file)
    let to = Self.characterStart(min(lineRange.upperBound, max(start, from) + reach), in: file)
    let cells = Self.cells(file, from: min(from, to), to: to)
    let first = cells.firstIndex { $0.offset >= start } ?? cells.count
    let past = cells.firstIndex { $0.offset >= end } ?? cells.count
    let window = Self.window(cells, around: first, width: width)
    let isCutBefore = window.lowerBound > 0 || from > lineRange.lowerBound
    let isCutAfter = window.upperBound < cells.count || to < lineRange.upperBound
    text =
      (isCutBefore ? "…" : "") + cells[window].map(\.text).joined() + (isCutAfter ? "…" : "")
    let indent = cells[window.lowerBound..<first].reduce(isCutBefore ? 1 : 0) { $0 + $1.width }
    let carets = cells[first..<max(first, min(past, window.upperBound))].reduce(0) { $0 + $1.width }
    underline =
      String(repeating: " ", count: indent) + String(repeating: "^", count: max(1, carets))
  }

  /// The characters in a range, tabs filled up to the next multiple of four columns.
  private static func cells(_ file: SourceFile, from: Int, to: Int) -> [Cell] {
    var cells: [Cell] = []
    var offset = from
    var column = 0
    for (character, length) in characters(of: file.bytes[from..<to]) {
      var cell = Cell(text: "", width: 0, offset: offset)
      if character == "\t" {
        cell.width = 4 - column % 4
        cell.text = String(repeating: " ", count: cell.width)
      } else {
        let isMark = CommandMarkers.completesMark(file.bytes, at: offset)
        cell.text = isMark ? #"\u{23}"# : Sanitizer.shown(character.unicodeScalars)
        cell.width = DisplayText.width(cell.text)
      }
      cells.append(cell)
      column += cell.width
      offset += length
    }
    return cells
  }

  /// Characters, each with the number of bytes that it takes in the file: what isn't valid UTF-8 is shown
  /// longer than it is.
  private static func characters(of bytes: ArraySlice<UInt8>) -> [(Character, length: Int)] {
    if bytes.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) {
      return bytes.map { (Character(Unicode.Scalar($0)), 1) }
    }
    var text = ""
    var lengths: [Int] = []
    var iterator = bytes.makeIterator()
    var parser = Unicode.UTF8.ForwardParser()
    parsing: while true {
      switch parser.parseScalar(from: &iterator) {
      case .valid(let encoded):
        text.unicodeScalars.append(UTF8.decode(encoded))
        lengths.append(encoded.count)
      case .error(let length):
        text.unicodeScalars.append("\u{FFFD}")
        lengths.append(length)
      case .emptyInput: break parsing
      }
    }
    var rest = lengths[...]
    return text.map { character in
      let count = character.unicodeScalars.count
      defer { rest = rest.dropFirst(count) }
      return (character, rest.prefix(count).reduce(0, +))
    }
  }

  /// The cells that are shown: all of them if they fit, else those around the span's beginning.
  private static func window(_ cells: [Cell], around first: Int, width: Int) -> Range<Int> {
    guard cells.reduce(0, { $0 + $1.width }) > width else { return 0..<cells.count }
    var low = first
    var used = 0
    while low > 0, used + cells[low - 1].width <= width / 3 {
      low -= 1
      used += cells[low].width
    }
    var high = first
    while high < cells.count, used + cells[high].width <= width - 2 {
      used += cells[high].width
      high += 1
    }
    return low..<high
  }

  private static func characterStart(_ offset: Int, in file: SourceFile) -> Int {
    var start = offset
    while start > 0, start < file.bytes.count, file.bytes[start] & 0xC0 == 0x80 { start -= 1 }
    return start
  }
}
