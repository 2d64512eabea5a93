import HarnessProtocol
import JSON

/// What is on screen, as an indented outline: what an error tells with it.
@MainActor enum ScreenDescription {
  /// A line an element; long screens are cut at a stated size.
  static let lineLimit = 200

  static func of(_ screen: Element, lineLimit: Int = lineLimit) -> JSONValue {
    var lines: [String] = []
    append(screen, depth: 0, to: &lines)
    if lines.count > lineLimit {
      lines = lines.prefix(lineLimit) + ["… and \(lines.count - lineLimit) more"]
    }
    return .strings(lines)
  }

  private static func append(_ element: Element, depth: Int, to lines: inout [String]) {
    lines.append(String(repeating: "  ", count: depth) + line(of: element))
    for child in element.children { append(child, depth: depth + 1, to: &lines) }
  }

  private static func line(of element: Element) -> String {
    var parts = [element.type]
    if !element.identifier.isEmpty { parts.append(element.identifier) }
    if !element.label.isEmpty { parts.append("\"\(element.label)\"") }
    if let value = element.value { parts.append("= \"\(value)\"") }
    if !element.isEnabled { parts.append("(disabled)") }
    if !element.isVisible { parts.append("(not visible)") }
    return parts.joined(separator: " ")
  }
}
