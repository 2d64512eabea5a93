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
    guard let match = try matchIfAny() else { throw notFound }
    return match
  }

  /// The one match; `nil` where nothing matches.
  func matchIfAny() throws(RPCError) -> Match? {
    let found = matches()
    if found.count > 1 { throw ambiguous(found) }
    return found.first
  }

  private var root: Match { Match(element: screen, ancestors: [], position: []) }

  private func descendants(of holders: [Match], fitting segment: ElementPath.Segment) -> [Match] {
    var found: [Match] = []
    for holder in holders { collect(in: holder, &found) { fits($0, segment) } }
    // One holder may be inside another.
    guard holders.count > 1 else { return found }
    var seen: Set<[Int]> = []
    return found.filter { seen.insert($0.position).inserted }
  }

  private func selected(_ found: [Match], _ segment: ElementPath.Segment) -> [Match] {
    guard let index = segment.index else { return found }
    return found.indices.contains(index) ? [found[index]] : []
  }

  private func fits(_ match: Match, _ segment: ElementPath.Segment) -> Bool {
    let element = match.element
    let hasType = segment.type.map { $0.lowercased() == element.type.rawValue.lowercased() } ?? true
    return hasType && element.identifier.hasSameBytes(as: segment.identifier)
  }

  private func descendants(of match: Match) -> [Match] {
    var found: [Match] = []
    collect(in: match, &found) { _ in true }
    return found
  }

  /// Adds those descendants that `isWanted`, in the order of the tree.
  private func collect(
    in match: Match, _ found: inout [Match], where isWanted: (Match) -> Bool
  ) {
    guard !match.element.children.isEmpty else { return }
    let ancestors = match.ancestors + [match.element]
    for (index, child) in match.element.children.enumerated() {
      let own = Match(element: child, ancestors: ancestors, position: match.position + [index])
      if isWanted(own) { found.append(own) }
      collect(in: own, &found, where: isWanted)
    }
  }
}

extension ElementQuery {
  var notFound: RPCError {
    let absence = self.absence
    return RPCError(
      .elementNotFound, "No element \"\(path)\" is on screen.\(absence.hint)",
      data: ["closest": .strings(absence.closest), "onScreen": ScreenDescription.of(screen)])
  }

  /// Why nothing matches, as far as the screen tells: a sentence after a blank, or nothing; and the
  /// paths that may have been meant.
  var absence: (hint: String, closest: [String]) {
    if let hint = indexOutOfRange { return (hint, []) }
    let closest = closestPaths
    return (closest.isEmpty ? "" : " Closest on screen: \(quoted(closest)).", closest)
  }

  /// Where one index less would have found something: how many there are.
  private var indexOutOfRange: String? {
    for (place, segment) in path.segments.enumerated() {
      guard segment.index != nil else { continue }
      var whole = ElementPath(Array(path.segments[...place]))
      guard query(whole).matches().isEmpty else { continue }
      whole.segments[place].index = nil
      let count = query(whole).matches().count
      guard count > 0 else { return nil }
      return count == 1
        ? " There is 1 of \"\(whole)\": [0]."
        : " There are \(count) of \"\(whole)\": [0] to [\(count - 1)]."
    }
    return nil
  }

  private func query(_ path: ElementPath) -> ElementQuery {
    ElementQuery(path: path, screen: screen)
  }

  /// A path with another identifier in one of its segments.
  private struct Candidate {
    var path: ElementPath
    var place: Int
    var distance: Int
  }

  /// How many paths are named at most.
  private static let closestLimit = 3

  /// Paths that lead to something and differ from this one in one segment, the closest first; where
  /// there are none, identifiers that are close to the last one.
  private var closestPaths: [String] {
    let found = candidates.lazy.filter { !query($0.path).matches().isEmpty }
      .prefix(Self.closestLimit).map(\.path.description)
    if !found.isEmpty { return Array(found) }
    let identifiers = Set(descendants(of: root).map(\.element.identifier)).subtracting([""])
    return Suggestions.closest(to: path.segments.last?.identifier ?? "", among: identifiers)
  }

  /// The closest first; of equal ones those in which the end differs, then by name.
  private var candidates: [Candidate] {
    path.segments.indices.flatMap(candidates).sorted {
      ($0.distance, -$0.place, $0.path.description) < ($1.distance, -$1.place, $1.path.description)
    }
  }

  private func candidates(at place: Int) -> [Candidate] {
    let before = ElementPath(Array(path.segments[..<place]))
    let holders = place == 0 ? [root] : query(before).matches()
    let inside = holders.flatMap(descendants) + (place == 0 ? [root] : [])
    let wanted = path.segments[place]
    return Set(inside.map(\.element.identifier)).subtracting([""]).compactMap { identifier in
      let distance = Suggestions.distance(wanted.identifier, identifier)
      guard isClose(distance, wanted.identifier, identifier, at: place) else { return nil }
      var path = path
      path.segments[place].identifier = identifier
      // Of the right identifier, the type is wrong.
      if distance == 0 { path.segments[place].type = nil }
      var plain = path
      plain.segments[place].index = nil
      if query(plain).matches().count == 1 { path = plain }
      return Candidate(path: path, place: place, distance: distance)
    }
  }

  /// Where the end is right, any other holder may have been meant; where the end is wrong and what holds it
  /// is right, a name may differ in more than a misspelling.
  private func isClose(
    _ distance: Int, _ wanted: String, _ identifier: String, at place: Int
  ) -> Bool {
    guard path.segments.count > 1 else {
      return distance == 0 || !Suggestions.closest(to: wanted, among: [identifier]).isEmpty
    }
    return place < path.segments.count - 1
      || distance * 3 <= max(wanted.count, identifier.count) * 2
  }

  /// How many of the elements that match are listed at most.
  private static let matchLimit = 50

  private func ambiguous(_ found: [Match]) -> RPCError {
    let listed = found.prefix(Self.matchLimit).enumerated()
      .map { pathAlone($0.element, at: $0.offset).description }
    let rest = found.count - listed.count
    return RPCError(
      .ambiguousElement,
      "\(found.count) elements match \"\(path)\". Name one of them, as \"\(listed[0])\".",
      data: [
        "matches": .strings(listed + (rest > 0 ? ["… and \(rest) more"] : [])),
        "onScreen": ScreenDescription.of(screen),
      ])
  }

  /// A path that means this one of several matches alone: within the nearest element that tells it apart,
  /// else with its index.
  private func pathAlone(_ match: Match, at index: Int) -> ElementPath {
    let own = path.segments.suffix(1)
    for depth in match.ancestors.indices.reversed() {
      let identifier = match.ancestors[depth].identifier
      guard !identifier.isEmpty else { continue }
      var holder = ElementPath.Segment(identifier: identifier)
      let alike = query(ElementPath([holder])).matches()
      if alike.count > 1 {
        holder.index = alike.firstIndex { $0.position.elementsEqual(match.position.prefix(depth)) }
      }
      let path = ElementPath([holder] + own)
      if query(path).matches().map(\.position) == [match.position] { return path }
    }
    var indexed = path
    indexed.segments[indexed.segments.count - 1].index = index
    return indexed
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
