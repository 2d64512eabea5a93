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
    let states = Self.states(isEnabled: entry.isEnabled, isVisible: entry.isVisible)
    return name(entry) + description(element) + states.map { style.paint("  " + $0, .dim) }.joined()
  }

  /// The number and the path, with blanks after it; in place of the number where there is no path.
  private func name(_ entry: ScreenOutline.Entry) -> String {
    guard let path = entry.path else { return "    " }
    let number = numbers.number(of: path).map(String.init) ?? "-"
    let blanks = String(repeating: " ", count: max(0, 3 - number.count))
    return "\(blanks)\(style.paint(number, .bold)) \(outlet.line(path.description))  "
  }

  /// As `Button "Cart" = "3"`.
  private func description(_ element: ScreenElement) -> String {
    ([style.paint(outlet.line(element.type), .dim)] + Self.texts(element.label, element, outlet))
      .joined(separator: " ")
  }

  private static func texts(_ label: String, _ element: ScreenElement, _ outlet: Outlet) -> [String]
  {
    (label.isEmpty ? [] : ["\"\(outlet.line(label))\""])
      + (element.value.map { ["= \"\(outlet.line($0))\""] } ?? [])
  }

  private static func states(isEnabled: Bool, isVisible: Bool) -> [String] {
    let states = (isEnabled ? [] : ["disabled"]) + (isVisible ? [] : ["not visible"])
    return states.isEmpty ? [] : ["(\(states.joined(separator: ", ")))"]
  }

  /// A whole screen: an element a line, as `button cartButton "Cart" = "1" (disabled)`, what is in it
  /// indented.
  static func outline(_ screen: Screen, _ outlet: Outlet) -> [String] {
    screen.elements.flatMap { outline($0, outlet, indentation: "") }
  }

  private static func outline(
    _ element: ScreenElement, _ outlet: Outlet, indentation: String
  ) -> [String] {
    let names = [element.type, element.identifier].filter { !$0.isEmpty }.map { outlet.line($0) }
    let label = element.label == element.identifier ? "" : element.label
    let words =
      names + texts(label, element, outlet)
      + states(isEnabled: element.isEnabled, isVisible: element.isVisible)
    return [indentation + words.joined(separator: " ")]
      + element.children.flatMap { outline($0, outlet, indentation: indentation + "  ") }
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
    return "\(name(entry))\(type) \(changes.joined(separator: ", "))"
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
    let held = others > 0 ? ", with \(Wording.counted(others, "element")) in it" : ""
    return name(entry) + description(entry.element) + held
  }
}
