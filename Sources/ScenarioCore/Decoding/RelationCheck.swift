import SourceText

/// Looks whether the names by which expectations refer to each other lead somewhere.
struct RelationCheck {
  private let tallies: [Tally]
  private let named: [String: [Int]]
  /// By the place of an expectation: the last action at which one that was made from it counts something.
  private let lastPlaces: [UsageKey: Int]
  private let diagnostics: DiagnosticCollector

  init(_ scenario: Scenario, _ diagnostics: DiagnosticCollector) {
    tallies = Verification.tallies(of: scenario).tallies
    named = RelationTable.named(tallies)
    lastPlaces = Dictionary(
      tallies.map { (UsageKey($0.expectation.location), $0.lastPlace) }, uniquingKeysWith: max)
    self.diagnostics = diagnostics
  }

  func report() {
    reportEqualNames()
    var checked: [UsageKey: Set<String>] = [:]
    for tally in tallies {
      for name in tally.expectation.relations.references
      where checked[UsageKey(name.location), default: []].insert(name.text).inserted {
        check(name, of: tally)
      }
    }
    reportCircles()
  }

  /// A name may stand for what a `forEach` or a `repeat` makes of one expectation, and for no other.
  private func reportEqualNames() {
    for indices in named.values {
      let names = indices.compactMap { tallies[$0].expectation.relations.name }
      guard let first = names.min(by: isBefore), let last = names.max(by: isBefore),
        isBefore(first, last)
      else { continue }
      diagnostics.error(
        "Two expectations are called \"\(last.text)\". Give each its own name.", at: last.location,
        notes: [.init("The first one is here.", at: first.location)])
    }
  }

  private func isBefore(
    _ left: ExpectationRelations.Name, _ right: ExpectationRelations.Name
  ) -> Bool {
    (left.location.path, left.location.range.lowerBound)
      < (right.location.path, right.location.range.lowerBound)
  }

  private func check(_ name: ExpectationRelations.Name, of tally: Tally) {
    guard let others = named[name.text].map({ $0.map { tallies[$0] } }), let other = others.first
    else {
      diagnostics.error(
        "No expectation is called \"\(name.text)\". Write \"as\": \"\(name.text)\" in the one that is"
          + " meant.", at: name.location,
        suggestions: Suggestions.closest(to: name.text, among: named.keys))
      return
    }
    let notes = [Diagnostic.Note("It is here.", at: other.expectation.location)]
    if others.allSatisfy({ $0.expectation.count.most == 0 }) {
      diagnostics.error(
        "\"\(name.text)\" expects no request, so nothing can come after it. Name another expectation, or"
          + " write another \"count\".", at: name.location, notes: notes)
    }
    let isAfter = tally.expectation.relations.after?.location.range == name.location.range
    let isEvent = tally.expectation.pattern.event != nil
    if !isAfter, (other.expectation.pattern.event != nil) != isEvent {
      diagnostics.error(
        "\"\(name.text)\" counts \(isEvent ? "requests" : "events"), which have no such place. Name an"
          + " expectation of \(isEvent ? "events" : "requests").", at: name.location, notes: notes)
    }
    if isLater(others, than: tally) {
      diagnostics.error(
        "\"\(name.text)\" counts what only later actions send, so that nothing of it can come before"
          + " this. Name an earlier expectation, or write this one there.", at: name.location,
        notes: notes)
    }
  }

  /// Whether all that the others count is caused after all that this expectation counts, in each round of
  /// a `repeat`.
  private func isLater(_ others: [Tally], than tally: Tally) -> Bool {
    let last = lastPlaces[UsageKey(tally.expectation.location)] ?? .max
    return others.allSatisfy { $0.firstPlace > last }
  }

  private func reportCircles() {
    var told: Set<String> = []
    for (name, indices) in named.sorted(by: { $0.key < $1.key }) where !told.contains(name) {
      guard let circle = circle(from: name, [name], visited: []), let index = indices.first else {
        continue
      }
      told.formUnion(circle)
      diagnostics.error(
        "These expectations refer to each other in a circle: "
          + circle.joined(separator: " → ") + ". Remove an \"after\" or a \"sameAs\".",
        at: tallies[index].expectation.relations.name?.location
          ?? tallies[index].expectation.location)
    }
  }

  /// The way from a name back to itself; `nil` where there is none.
  private func circle(from start: String, _ way: [String], visited: Set<String>) -> [String]? {
    var visited = visited
    let indices = named[way.last ?? start] ?? []
    let next = Set(indices.flatMap { tallies[$0].expectation.relations.references.map(\.text) })
    for name in next.sorted() {
      if name == start { return way + [name] }
      guard visited.insert(name).inserted else { continue }
      if let circle = circle(from: start, way + [name], visited: visited) { return circle }
    }
    return nil
  }
}

extension Tally {
  /// The first action at which it counts something, as its list stands in the file.
  fileprivate var firstPlace: Int {
    switch scope {
    case .sends: actions.lowerBound
    case .expectRequests(let step): step.id
    case .expected: 0
    }
  }

  fileprivate var lastPlace: Int {
    switch scope {
    case .sends: actions.upperBound - 1
    case .expectRequests(let step): step.id
    case .expected: .max
    }
  }
}

extension Scenario {
  /// Whether an expectation has a name or refers to one.
  var hasRelations: Bool {
    expectationLists.contains { list in
      list.contains { $0.relations.isRelated || $0.relations.name != nil }
    }
  }
}
