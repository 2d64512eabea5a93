import HarnessProtocol
import RequestMatching

/// Pairs what is missing with what came instead, so that one wrong request is one finding.
///
/// The pairs that cost least are taken first, as long as something is missing and something is left. Of
/// equal ones those with the fewest alternatives, so that they don't lose the only one they have; then
/// in the order of the expectations and of the requests.
struct NearMissPairing {
  /// Something missing, prepared for being compared with many requests.
  private struct Missing {
    var tally: Tally
    /// The index of the tally.
    var index: Int
    /// `nil` for patterns that are more than a plain URL.
    var profile: URLProfile?
  }

  private struct Candidate {
    var missing: Int
    var stray: Int
    var cost: Int
    /// How many pairs of the same cost the two are in.
    var alternatives = 0

    func goes(before other: Self) -> Bool {
      (cost, alternatives, missing, stray)
        < (other.cost, other.alternatives, other.missing, other.stray)
    }
  }

  private let verification: Verification
  private let missing: [Missing]
  private let strays: [StrayRequest]
  private let volatile: VolatileParameters
  private let profiles: [URLProfile]
  private let requests: [MatchableRequest]

  /// So many pairs are compared; with more, each missing request only with those that were sent at about
  /// its place, as requests usually come in the order in which they are expected.
  private static let comparisonLimit = 1_000_000
  /// The same where patterns are more than plain URLs, which takes longer.
  private static let slowComparisonLimit = 20_000

  /// - Parameter leftover: for each stray request how many of it are unexplained; those that are explained
  ///   now are taken off.
  static func pair(
    _ shortfalls: inout [Mismatch], with strays: [StrayRequest], _ leftover: inout [Int],
    in verification: Verification
  ) {
    let left = strays.indices.filter { leftover[$0] > 0 }
    guard !shortfalls.isEmpty, !left.isEmpty else { return }
    let pairing = Self(shortfalls.map(\.tally), left.map { strays[$0] }, in: verification)
    var amounts = shortfalls.map(\.amount)
    let candidates = pairing.candidates()
    for candidate in candidates where !MatchingStop.isWanted {
      let stray = left[candidate.stray]
      let amount = min(amounts[candidate.missing], leftover[stray])
      guard amount > 0 else { continue }
      amounts[candidate.missing] -= amount
      leftover[stray] -= amount
      pairing.add(candidate, amount, to: &shortfalls[candidate.missing])
    }
    // What is nearest says something also where it stands for another expectation.
    for candidate in candidates
    where !shortfalls[candidate.missing].isExplained && !MatchingStop.isWanted {
      pairing.add(candidate, 1, to: &shortfalls[candidate.missing], isTaken: true)
    }
    for index in shortfalls.indices {
      shortfalls[index].nearMisses.sort { $0.differences.count < $1.differences.count }
    }
  }

  /// So many unmet expectations are compared with the first requests that were counted.
  private static let namedComparisonLimit = 32

  /// Adds to what nothing explains the nearest request of those that other expectations count: a mistake is as
  /// often in the expectation as in the app.
  static func addNamed(to shortfalls: inout [Mismatch], in verification: Verification) {
    var seen: Set<String> = []
    let named = verification.tallies.flatMap(\.matched).filter {
      $0.event == nil && seen.insert("\($0.method ?? "") \($0.url)").inserted
    }.prefix(100)
    let unexplained = shortfalls.indices.filter { !shortfalls[$0].isExplained }
    for index in unexplained.prefix(namedComparisonLimit) where !MatchingStop.isWanted {
      let pattern = verification.tallies[shortfalls[index].tally].expectation.pattern
      guard pattern.plainURL != nil else { continue }
      let near = named.compactMap { occurrence -> (miss: NearMiss, cost: Int)? in
        let request = MatchableRequest(method: occurrence.method ?? "GET", url: occurrence.url)
        let differences = pattern.differences(from: request, ignoring: verification.volatile)
        let cost = NearMissCost(differences, conditions: 0)
        guard !differences.isEmpty, cost.isNear else { return nil }
        let miss = NearMiss(request: occurrence, differences: differences, isTaken: true)
        return (miss, cost.total)
      }
      if let nearest = near.min(by: { $0.cost < $1.cost }) {
        shortfalls[index].nearMisses.append(nearest.miss)
      }
    }
  }

  private init(_ tallies: [Int], _ strays: [StrayRequest], in verification: Verification) {
    let volatile = verification.volatile
    self.strays = strays
    self.volatile = volatile
    self.verification = verification
    requests = strays.map { MatchableRequest($0.request, event: $0.event) }
    profiles = strays.map {
      URLProfile(
        volatile.removed(from: RequestURL($0.request.url)), method: $0.request.method ?? "GET")
    }
    missing = tallies.map { index in
      let tally = verification.tallies[index]
      let pattern = tally.expectation.pattern
      let profile = pattern.plainURL.map {
        URLProfile(volatile.removed(from: RequestURL($0)), method: pattern.method)
      }
      return Missing(tally: tally, index: index, profile: profile)
    }
  }

  private func add(
    _ candidate: Candidate, _ amount: Int, to shortfall: inout Mismatch, isTaken: Bool = false
  ) {
    let stray = strays[candidate.stray]
    let differences = pattern(of: candidate.missing, for: stray).differences(
      from: requests[candidate.stray], ignoring: volatile)
    guard let occurrence = stray.occurrences.first else { return }
    if differences.isEmpty {
      guard !isTaken else { return }
      shortfall.elsewhere += stray.occurrences.prefix(amount)
    } else {
      shortfall.nearMisses.append(
        NearMiss(
          request: occurrence, count: amount, differences: differences, isTaken: isTaken,
          nearestStub: verification.nearestStub(to: stray.request)))
    }
  }

  /// What is missing, with the values that the stray request had to have.
  private func pattern(of index: Int, for stray: StrayRequest) -> RequestPattern {
    verification.pattern(of: missing[index].index, missing[index].tally, before: stray.moment)
  }
}

// MARK: - What is near

extension NearMissPairing {
  private func candidates() -> [Candidate] {
    var candidates = missing.indices.flatMap { index in
      compared(index).compactMap { stray in
        cost(index, stray).map { Candidate(missing: index, stray: stray, cost: $0) }
      }
    }
    // By index and cost, which are one number.
    let ofMissing = Dictionary(
      candidates.map { ($0.missing + $0.cost * missing.count, 1) }, uniquingKeysWith: +)
    let ofStray = Dictionary(
      candidates.map { ($0.stray + $0.cost * strays.count, 1) }, uniquingKeysWith: +)
    for index in candidates.indices {
      let candidate = candidates[index]
      candidates[index].alternatives =
        ofMissing[candidate.missing + candidate.cost * missing.count, default: 0]
        + ofStray[candidate.stray + candidate.cost * strays.count, default: 0]
    }
    return candidates.sorted { $0.goes(before: $1) }
  }

  /// The stray requests that something missing is compared with.
  private func compared(_ index: Int) -> Range<Int> {
    let limit =
      missing[index].profile == nil ? Self.slowComparisonLimit : Self.comparisonLimit
    let count = max(32, limit / missing.count)
    guard strays.count > count else { return strays.indices }
    let middle = strays.count * index / missing.count
    let first = min(max(0, middle - count / 2), strays.count - count)
    return first..<first + count
  }

  /// - Returns: `nil` where the request can't be told as a mistake for the missing one.
  private func cost(_ index: Int, _ stray: Int) -> Int? {
    if MatchingStop.isWanted { return nil }
    let (tally, request) = (missing[index].tally, strays[stray])
    guard request.isUnnamed || (tally.check != nil && !request.offended.isEmpty) else { return nil }
    let cost = nearMissCost(index, stray)
    guard cost.isNear else { return nil }
    let isRightAction =
      !tally.dependsOnAction || request.action.map(tally.actions.contains) == true
    // A request that is named elsewhere isn't a mistake for another one, unless it came from the action
    // that should have sent this.
    if !request.isUnnamed, !isRightAction, cost.total > 0 { return nil }
    return cost.total + (isRightAction ? 0 : NearMissCost.wrongAction)
  }

  private func nearMissCost(_ index: Int, _ stray: Int) -> NearMissCost {
    let pattern = pattern(of: index, for: strays[stray])
    guard let profile = missing[index].profile, strays[stray].event == nil else {
      return NearMissCost(
        pattern.differences(from: requests[stray], ignoring: volatile),
        conditions: pattern.conditionCount)
    }
    return NearMissCost(
      profile, profiles[stray], isRelative: pattern.isRelative,
      anyMethod: pattern.method == nil || pattern.method == "ANY")
  }
}

extension RequestPattern {
  /// The URL where the pattern is nothing else, but for a method.
  fileprivate var plainURL: String? {
    guard case .url(let url) = target, scheme == nil, host == nil, port == nil,
      conditionCount == 0
    else { return nil }
    return url
  }

  fileprivate var isRelative: Bool {
    if case .url(let url) = target { url.utf8.first == UInt8(ascii: "/") } else { false }
  }
}
