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

  /// - Parameter width: the columns that there are for the text.
  init(_ location: SourceLocation, width: Int) {
    let file = location.file
    let line = file.range(ofLine: file.line(at: location.range.lowerBound))
    let start = min(max(location.range.lowerBound, line.lowerBound), line.upperBound)
    // A line can be megabytes long: only what is near the span is looked at.
    let reach = width * 8
    let from = Self.characterStart(max(line.lowerBound, start - reach), in: file)
    let to = Self.characterStart(min(line.upperBound, start + reach), in: file)
    let end = min(max(location.range.upperBound, start), to)
    let before = Self.shown(file.bytes[from..<start], after: "")
    let span = Self.shown(file.bytes[start..<end], after: before)
    let rest = span + Self.shown(file.bytes[end..<to], after: before + span)
    var (lead, shown) = (before[...], rest[...])
    if DisplayText.width(before + rest) > width {
      let nearest = DisplayText.prefix(String(before.reversed()), columns: width / 3)
      lead = before.suffix(nearest.count)
      shown = DisplayText.prefix(rest, columns: width - 2 - DisplayText.width(String(lead)))
    }
    let isCutBefore = lead.count < before.count || from > line.lowerBound
    let isCutAfter = shown.count < rest.count || to < line.upperBound
    text = (isCutBefore ? "…" : "") + lead + shown + (isCutAfter ? "…" : "")
    let indent = DisplayText.width(String(lead)) + (isCutBefore ? 1 : 0)
    let carets = min(DisplayText.width(span), DisplayText.width(String(shown)))
    underline =
      String(repeating: " ", count: indent) + String(repeating: "^", count: max(1, carets))
  }

  /// A piece of a line, tabs filled up to the next multiple of four columns.
  ///
  /// - Parameter before: what is shown before it.
  private static func shown(_ bytes: ArraySlice<UInt8>, after before: String) -> String {
    let parts = bytes.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false)
    return parts.reduce(into: "") { text, part in
      if part.startIndex > bytes.startIndex {
        let column = DisplayText.width(before + text)
        text += String(repeating: " ", count: 4 - column % 4)
      }
      text += Sanitizer.line(String(decoding: part, as: UTF8.self))
    }
  }

  private static func characterStart(_ offset: Int, in file: SourceFile) -> Int {
    var start = offset
    while start > 0, start < file.bytes.count, file.bytes[start] & 0xC0 == 0x80 { start -= 1 }
    return start
  }
}
