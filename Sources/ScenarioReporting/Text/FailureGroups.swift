import RequestMatching
import ScenarioCore

/// Failures by what they have in common, so that one fault of the app is told once.
struct FailureGroups {
  /// At least two results with the same difference.
  struct Group {
    /// `scheme, wanted https, got http`
    var difference: String
    /// In the order of the run; each stands in one group at most.
    var results: [ScenarioResult]

    /// The difference with the number of its scenarios.
    var sentence: String { "\(results.count) scenarios: \(difference)" }
  }

  /// More are told one by one.
  private static let limit = 50

  /// The largest first.
  private(set) var groups: [Group] = []
  /// By the place of a result in the plan: the group that it stands in.
  private var places: [Int: Int] = [:]

  /// - Parameters:
  ///   - results: those that failed or errored.
  ///   - outlet: the run's.
  init(_ results: some Sequence<ScenarioResult>, _ outlet: Outlet) {
    var left = results.map { result in
      let words = FindingText(outlet.hiding(credentialsOf: result))
      return (result, differences: result.findings.flatMap(words.differences))
    }
    while groups.count < Self.limit {
      let counts = Dictionary(
        left.flatMap { Set($0.differences).map { ($0, 1) } }, uniquingKeysWith: +)
      // Of equal ones the one that is told first.
      guard let most = counts.values.max(), most > 1,
        let difference = left.lazy.flatMap(\.differences).first(where: { counts[$0] == most })
      else { return }
      let members = left.filter { $0.differences.contains(difference) }.map(\.0)
      for member in members { places[member.index] = groups.count }
      groups.append(Group(difference: difference, results: members))
      left.removeAll { $0.differences.contains(difference) }
    }
  }

  /// The group of a result.
  func group(of result: ScenarioResult) -> Group? { places[result.index].map { groups[$0] } }

  /// Whether another result of the same group comes before it.
  func isRepetition(_ result: ScenarioResult) -> Bool {
    group(of: result).map { $0.results.first?.index != result.index } ?? false
  }
}

extension FindingText {
  /// What is wrong, without what is the scenario's own: equal for scenarios that fail by the same fault.
  func differences(_ finding: Finding) -> [String] {
    switch finding {
    case .wrongCount(let count) where count.nothingWasSent: [Self.nothingWasSent]
    case .wrongCount(let count) where count.nearMisses.contains { !$0.isTaken }:
      count.nearMisses.filter { !$0.isTaken }.flatMap(\.differences).map(sentence)
    default: [headline(finding)]
    }
  }

  private func sentence(_ difference: Difference) -> String {
    let text = DifferenceText(outlet, style: TextStyle(isColored: false), width: 100)
    let (wanted, got) = text.values(difference)
    return "\(text.part(difference.part)), wanted \(bare(wanted)), got \(bare(got))"
  }

  /// Without its quotes where it is one word.
  private func bare(_ value: String) -> String {
    guard value.count > 2, value.first == "\"", value.last == "\"" else { return value }
    let inner = value.dropFirst().dropLast()
    return inner.contains { $0.isWhitespace || $0 == "," || $0 == "\"" } ? value : String(inner)
  }
}

extension Sequence {
  /// The elements of each key, in the order in which the keys come first.
  func grouped<Key: Hashable>(by key: (Element) -> Key) -> [(key: Key, elements: [Element])] {
    var groups: [(key: Key, elements: [Element])] = []
    var places: [Key: Int] = [:]
    for element in self {
      let key = key(element)
      if let place = places[key] {
        groups[place].elements.append(element)
      } else {
        places[key] = groups.count
        groups.append((key, [element]))
      }
    }
    return groups
  }
}
