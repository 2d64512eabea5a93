import HarnessProtocol

/// The elements of a screen in the order of its tree, each with the path by which a scenario names it.
package struct ScreenOutline: Sendable {
  package struct Entry: Sendable {
    package var element: ScreenElement
    /// The shortest path that means this element alone; `nil` where it has no identifier.
    package var path: ElementPath?
    /// How many elements hold it.
    package var depth: Int
    /// Whether it and all that hold it are visible.
    package var isVisible: Bool
    /// Whether it and all that hold it are enabled.
    package var isEnabled: Bool
    /// The places of its children.
    var children: [Int] = []
    var parent: Int?
    /// The place after the last element that it holds.
    var end: Int
  }

  package private(set) var entries: [Entry] = []
  /// The places of the outermost elements.
  private(set) var roots: [Int] = []
  /// By identifier, byte for byte, as the kit compares them: the places of its elements.
  private var places: [[UInt8]: [Int]] = [:]

  package init(_ screen: Screen) {
    roots = screen.elements.map { add($0, under: nil) }
    for place in entries.indices { entries[place].path = path(of: place) }
  }

  /// The places of an element and of all that it holds.
  package func subtree(of place: Int) -> Range<Int> { place..<entries[place].end }

  /// All paths that mean one element.
  package var paths: [ElementPath] { entries.compactMap(\.path) }

  private mutating func add(_ element: ScreenElement, under parent: Int?) -> Int {
    let place = entries.count
    let holder = parent.map { entries[$0] }
    entries.append(
      Entry(
        element: element, depth: holder.map { $0.depth + 1 } ?? 0,
        isVisible: element.isVisible && holder?.isVisible ?? true,
        isEnabled: element.isEnabled && holder?.isEnabled ?? true, parent: parent, end: place))
    if !element.identifier.isEmpty {
      places[Array(element.identifier.utf8), default: []] += [place]
    }
    let children = element.children.map { add($0, under: place) }
    entries[place].children = children
    entries[place].end = entries.count
    return place
  }
}

extension ScreenOutline {
  /// By itself where the identifier is unique; else within the nearest element that tells it apart,
  /// which may need an index; else by its own index.
  private func path(of place: Int) -> ElementPath? {
    let identifier = entries[place].element.identifier
    guard !identifier.isEmpty else { return nil }
    let own = ElementPath.Segment(identifier: identifier)
    let alike = all(identifier)
    if alike.count == 1 { return ElementPath([own]) }
    let holders = holders(of: place)
    let holder =
      holders.lazy.compactMap { self.segment(of: $0, tellingApart: alike) }.first
      ?? holders.lazy.compactMap { self.indexedSegment(of: $0, tellingApart: alike) }.first
    if let holder { return ElementPath([holder, own]) }
    return ElementPath([.init(identifier: identifier, index: alike.firstIndex(of: place))])
  }

  /// The elements with identifiers that hold this one, the innermost first.
  private func holders(of place: Int) -> [Int] {
    let all = sequence(first: place) { self.entries[$0].parent }.dropFirst()
    return all.filter { !entries[$0].element.identifier.isEmpty }
  }

  private func all(_ identifier: String) -> [Int] { places[Array(identifier.utf8)] ?? [] }

  private func segment(of holder: Int, tellingApart alike: [Int]) -> ElementPath.Segment? {
    let identifier = entries[holder].element.identifier
    let holders = all(identifier)
    let held = alike.filter { place in holders.contains { holds($0, place) } }
    return held.count == 1 ? ElementPath.Segment(identifier: identifier) : nil
  }

  private func indexedSegment(of holder: Int, tellingApart alike: [Int]) -> ElementPath.Segment? {
    guard alike.count(where: { holds(holder, $0) }) == 1 else { return nil }
    let identifier = entries[holder].element.identifier
    return ElementPath.Segment(
      identifier: identifier, index: all(identifier).firstIndex(of: holder))
  }

  private func holds(_ holder: Int, _ place: Int) -> Bool {
    place > holder && place < entries[holder].end
  }
}

/// The numbers by which a person names elements: a path keeps its number while the session lasts.
package struct ElementNumbers: Sendable {
  private var paths: [ElementPath] = []
  private var numbers: [ElementPath: Int] = [:]

  package init() {}

  /// Numbers the paths that are new, from 1 on.
  package mutating func add(_ outline: ScreenOutline) {
    for path in outline.paths where numbers[path] == nil {
      paths.append(path)
      numbers[path] = paths.count
    }
  }

  package func number(of path: ElementPath) -> Int? { numbers[path] }

  /// - Returns: `nil` where no element had that number yet.
  package func path(_ number: Int) -> ElementPath? {
    paths.indices.contains(number - 1) ? paths[number - 1] : nil
  }
}
