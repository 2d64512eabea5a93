import HarnessProtocol
import JSON
import SourceText

/// Finds elements by a path, as an XCUITest query does: each segment is any descendant of the one
/// before it.
@MainActor struct ElementQuery {
  let path: ElementPath
  let screen: Element

  /// An element with those that hold it, the outermost first.
  @MainActor struct Match {
    var element: Element
    var ancestors: [Element]
    /// The place in the tree, as an index at each level.
    var position: [Int]

    var isVisible: Bool { (ancestors + [element]).allSatisfy(\.isVisible) }
    var isEnabled: Bool { (ancestors + [element]).allSatisfy(\.isEnabled) }

    /// The way to the element through those that have identifiers.
    var path: String {
      (ancestors + [element]).map(\.identifier).filter { !$0.isEmpty }.joined(separator: "/")
    }
  }

  /// All matches, in the order of the tree, each once.
  func matches() -> [Match] {
    // The screen itself can be named by the first segment.
    var found = path.segments.first.map { first in [root].filter { fits($0, first) } } ?? []
    var isFirst = true
    for segment in path.segments {
      let holders = isFirst ? [root] : found
      found = selected((isFirst ? found : []) + descendants(of: holders, fitting: segment), segment)
      isFirst = false
    }
    return found
  }

  /// The one match.
  ///
  /// - Throws: `elementNotFound` or `ambiguousElement`, with what was on screen.
  func match() throws(RPCError) -> Match {
    let found = matches()
    if found.count > 1 { throw ambiguous(found) }
    guard let match = found.first else { throw notFound }
    return match
  }

  private var root: Match { Match(element: screen, ancestors: [], position: []) }

  private func descendants(of holders: [Match], fitting segment: ElementPath.Segment) -> [Match] {
    var seen: Set<[Int]> = []
    return holders.flatMap(descendants).filter {
      fits($0, segment) && seen.insert($0.position).inserted
    }
  }

  private func selected(_ found: [Match], _ segment: ElementPath.Segment) -> [Match] {
    guard let index = segment.index else { return found }
    return found.indices.contains(index) ? [found[index]] : []
  }

  private func fits(_ match: Match, _ segment: ElementPath.Segment) -> Bool {
    let element = match.element
    let hasType = segment.type.map { $0.lowercased() == element.type.rawValue.lowercased() } ?? true
    return hasType && element.identifier.utf8.elementsEqual(segment.identifier.utf8)
  }

  private func descendants(of match: Match) -> [Match] {
    let ancestors = match.ancestors + [match.element]
    return match.element.children.enumerated().flatMap { index, child -> [Match] in
      let own = Match(element: child, ancestors: ancestors, position: match.position + [index])
      return [own] + descendants(of: own)
    }
  }
}

extension ElementQuery {
  private var notFound: RPCError {
    let onScreen = identifiersOnScreen
    let wanted = path.segments.last?.identifier ?? ""
    let closest = Suggestions.closest(to: wanted, among: Set(onScreen))
    let hint = closest.isEmpty ? "" : " Closest on screen: \(quoted(closest))."
    return RPCError(
      .elementNotFound, "No element \"\(path)\" is on screen.\(hint)",
      data: ["closest": .strings(closest), "onScreen": ScreenDescription.of(screen)])
  }

  private func ambiguous(_ found: [Match]) -> RPCError {
    let paths = found.enumerated().map { "\($0.offset): \($0.element.path)" }
    return RPCError(
      .ambiguousElement,
      "\(found.count) elements match \"\(path)\". Add an index, as in \"\(path)[0]\".",
      data: ["matches": .strings(paths), "onScreen": ScreenDescription.of(screen)])
  }

  private var identifiersOnScreen: [String] {
    descendants(of: root).map(\.element.identifier).filter { !$0.isEmpty }
  }

  private func quoted(_ texts: [String]) -> String {
    texts.map { "\"\($0)\"" }.joined(separator: ", ")
  }
}

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
    var parts = [element.type.rawValue]
    if !element.identifier.isEmpty { parts.append(element.identifier) }
    if !element.label.isEmpty { parts.append("\"\(element.label)\"") }
    if let value = element.value { parts.append("= \"\(value)\"") }
    if !element.isEnabled { parts.append("(disabled)") }
    if !element.isVisible { parts.append("(not visible)") }
    return parts.joined(separator: " ")
  }
}
