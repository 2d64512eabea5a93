/// Words diagnostics for people: place, message, source line with carets, suggestions, notes.
package struct DiagnosticRenderer: Sendable {
  package var isColored: Bool
  /// The columns that a source line may take, its number included.
  package var width: Int

  package init(isColored: Bool = false, width: Int = 100) {
    self.isColored = isColored
    self.width = width
  }

  /// Lines that end with a line break each.
  package func render(_ diagnostic: Diagnostic) -> String {
    let place = diagnostic.location?.description ?? diagnostic.path
    let (label, color): (String, Style) =
      diagnostic.severity == .error ? ("error", .red) : ("warning", .yellow)
    var text = headline(place, label, color, diagnostic.message)
    let hint = hint(diagnostic.suggestions)
    if let location = diagnostic.location {
      text += excerpt(location, color, hint: hint)
    } else if let hint {
      text += "  \(hint)\n"
    }
    for note in diagnostic.notes {
      text += headline(note.location.description, "note", .cyan, note.message)
      text += excerpt(note.location, .cyan, hint: nil)
    }
    return text
  }

  package func render(_ diagnostics: some Sequence<Diagnostic>) -> String {
    diagnostics.map(render).joined()
  }

  private func headline(
    _ place: String, _ label: String, _ color: Style, _ message: String
  ) -> String {
    let place = styled(DisplayText.harmless(place) + ":", .bold)
    let message = styled(DisplayText.harmless(message), .bold)
    return "\(place) \(styled(label + ":", color)) \(message)\n"
  }

  private func excerpt(_ location: SourceLocation, _ color: Style, hint: String?) -> String {
    let number = String(location.file.line(at: location.range.lowerBound))
    let gutter = String(repeating: " ", count: max(4, number.count + 1) - number.count)
    let blank = String(repeating: " ", count: gutter.count + number.count)
    let excerpt = SourceExcerpt(location, width: max(20, width - blank.count - 3))
    let tail = hint.map { " " + styled($0, color) } ?? ""
    let carets = excerpt.underline.drop { $0 == " " }
    let indent = excerpt.underline.dropLast(carets.count)
    return styled("\(gutter)\(number) | ", .dim) + excerpt.text + "\n"
      + styled("\(blank) | ", .dim) + indent + styled(String(carets), color) + tail + "\n"
  }

  private func hint(_ suggestions: [String]) -> String? {
    guard !suggestions.isEmpty else { return nil }
    let names = suggestions.map { suggestion in
      let shown = DisplayText.harmless(suggestion)
      return shown.hasPrefix("\"") ? shown : "\"\(shown)\""
    }
    return "did you mean \(ValueKind.alternatives(names))?"
  }

  private enum Style: String {
    case bold = "1"
    case dim = "2"
    case red = "1;31"
    case yellow = "1;33"
    case cyan = "1;36"
  }

  private func styled(_ text: String, _ style: Style) -> String {
    isColored && !text.isEmpty ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
  }
}
