import HarnessProtocol
import ScenarioCore

/// A screen, or what changed on it, for people: each element with its number and its path.
package struct ScreenText {
  let outlet: Outlet
  let style: TextStyle
  let numbers: ElementNumbers

  /// - Parameter numbers: those of every element that is shown.
  package init(
    _ outlet: Outlet, style: TextStyle = TextStyle(isColored: false), numbers: ElementNumbers
  ) {
    self.outlet = outlet
    self.style = style
    self.numbers = numbers
  }

  /// So many lines of a screen are shown.
  package static let lineLimit = 500

  /// All that can be named or read.
  package func lines(_ outline: ScreenOutline) -> [String] {
    cut(outline.entries.indices.compactMap { line(outline.entries[$0]) })
  }

  /// What appeared, what changed, what disappeared.
  package func lines(_ changes: ScreenChanges) -> [String] {
    let (before, after) = (changes.before, changes.after)
    let appeared = changes.appeared.flatMap(after.subtree).compactMap { place in
      line(after.entries[place]).map { style.paint("+", .green) + " " + $0 }
    }
    let changed = changes.changed.map { change in
      style.paint("~", .yellow) + " "
        + line(before.entries[change.old].element, now: after.entries[change.new])
    }
    let disappeared = changes.disappeared.compactMap { place in
      gone(place, before).map { style.paint("-", .red) + " " + $0 }
    }
    return cut(appeared + changed + disappeared)
  }

  private func cut(_ lines: [String]) -> [String] {
    let rest = lines.count - Self.lineLimit
    return rest > 0 ? lines.prefix(Self.lineLimit) + ["… and \(rest) more lines"] : lines
  }

  // MARK: - Elements

  /// - Returns: `nil` where nobody could name it or read anything in it.
  private func line(_ entry: ScreenOutline.Entry) -> String? {
    let element = entry.element
    guard entry.path != nil || !element.label.isEmpty || element.value?.isEmpty == false else {
      return nil
    }
    let states = [entry.isEnabled ? nil : "disabled", entry.isVisible ? nil : "not visible"]
    let state = states.compactMap(\.self).joined(separator: ", ")
    return name(entry) + (entry.path == nil ? "" : "  ") + description(element)
      + (state.isEmpty ? "" : style.paint("  (\(state))", .dim))
  }

  /// The number and the path; blanks in place of the number where there is no path.
  private func name(_ entry: ScreenOutline.Entry) -> String {
    guard let path = entry.path else { return "    " }
    let number = numbers.number(of: path).map(String.init) ?? "-"
    let blanks = String(repeating: " ", count: max(0, 3 - number.count))
    return blanks + style.paint(number, .bold) + " " + outlet.line(path.description)
  }

  /// As `Button "Cart" = "3"`.
  private func description(_ element: ScreenElement) -> String {
    let texts = [
      element.label.isEmpty ? nil : "\"\(outlet.line(element.label))\"",
      element.value.map { "= \"\(outlet.line($0))\"" },
    ]
    return ([style.paint(outlet.line(element.type), .dim)] + texts.compactMap(\.self))
      .joined(separator: " ")
  }

  private func line(_ old: ScreenElement, now entry: ScreenOutline.Entry) -> String {
    let new = entry.element
    var changes: [String] = []
    if old.label != new.label { changes.append("\(quoted(old.label)) → \(quoted(new.label))") }
    if old.value != new.value {
      changes.append("value \(quoted(old.value)) → \(quoted(new.value))")
    }
    if old.isEnabled != new.isEnabled { changes.append(new.isEnabled ? "enabled" : "disabled") }
    if old.isVisible != new.isVisible { changes.append(new.isVisible ? "visible" : "not visible") }
    let type = style.paint(outlet.line(new.type), .dim)
    return name(entry) + (entry.path == nil ? "" : "  ") + type + " "
      + changes.joined(separator: ", ")
  }

  private func quoted(_ text: String?) -> String {
    text.map { "\"\(outlet.line($0))\"" } ?? "none"
  }

  /// - Returns: `nil` where nobody could see a difference.
  private func gone(_ place: Int, _ outline: ScreenOutline) -> String? {
    let entry = outline.entries[place]
    let shown = outline.subtree(of: place).filter { line(outline.entries[$0]) != nil }
    guard !shown.isEmpty else { return nil }
    let others = shown.count - (shown.first == place ? 1 : 0)
    let held = others > 0 ? ", with \(others) element\(others == 1 ? "" : "s") in it" : ""
    return name(entry) + (entry.path == nil ? "" : "  ") + description(entry.element) + held
  }
}
