import RequestMatching
import SourceText

/// A request pattern with the number of requests that must match it.
package struct Expectation: Sendable {
  package var pattern: RequestPattern
  package var count: ExpectedCount
  /// How many must have arrived, where that is said.
  package var delivered: ExpectedCount?
  /// What `count` counts.
  package var measure = Measure.attempts
  package var location: SourceLocation
  /// What it has to do with other expectations.
  package var relations = ExpectationRelations()

  package enum Measure: Sendable {
    /// The requests that were sent.
    case attempts
    /// Those that arrived: answered with a status below 400, or lost on the way back. An event with an id arrives
    /// once.
    case arrivals
  }

  package init(pattern: RequestPattern, count: ExpectedCount, location: SourceLocation) {
    self.pattern = pattern
    self.count = count
    self.location = location
  }
}

/// What an expectation has to do with others.
package struct ExpectationRelations: Sendable {
  /// A name that stands in a file.
  package struct Name: Sendable {
    package var text: String
    package var location: SourceLocation
  }

  /// What others call it.
  package var name: Name?
  /// Each request that is counted has an earlier one that these count.
  package var after: Name?
  /// Whose values the pattern wants.
  package var sameAs: [Name] = []
  /// With `forEach`: the objects that it was made for, of equal results all.
  package var objects: [FixtureObject] = []

  /// Whether it can't be judged by its pattern alone.
  package var isRelated: Bool { after != nil || !sameAs.isEmpty }

  var references: [Name] { sameAs + (after.map { [$0] } ?? []) }
}

/// An object of a fixture for which there is an expectation.
package struct FixtureObject: Sendable {
  /// The fixture and the path that finds it, as `forEach` has them.
  package var source: String
  /// Where it is in the fixture: `$.modules[0].items[1].ad`.
  package var path: String
  package var location: SourceLocation
}

extension Expectation {
  /// What is to be counted, each alone.
  var measured: [Expectation] {
    guard delivered != nil else { return [self] }
    let hasAttempts = count != .anyNumber
    return (hasAttempts ? [self] : []) + [arrivals]
  }

  /// What has to arrive; of a count alone, the most that may.
  var arrivals: Expectation {
    var arrivals = self
    arrivals.measure = .arrivals
    arrivals.count = delivered ?? .between(atLeast: nil, atMost: count.most)
    return arrivals
  }
}

/// How often a request must have been sent.
package enum ExpectedCount: Sendable, Equatable {
  case exactly(Int)
  /// At least one bound is set, but for `anyNumber`.
  case between(atLeast: Int?, atMost: Int?)

  /// Where nothing is said of it.
  package static let anyNumber = ExpectedCount.between(atLeast: nil, atMost: nil)

  package func accepts(_ count: Int) -> Bool {
    switch self {
    case .exactly(let wanted): count == wanted
    case .between(let low, let high): count >= (low ?? 0) && count <= (high ?? .max)
    }
  }

  /// Whether so many are already too many, whatever comes after.
  package func isExceeded(by count: Int) -> Bool {
    switch self {
    case .exactly(let wanted): count > wanted
    case .between(_, let high): count > (high ?? .max)
    }
  }
}

extension ExpectedCount {
  package var least: Int {
    switch self {
    case .exactly(let count): count
    case .between(let low, _): low ?? 0
    }
  }

  package var most: Int {
    switch self {
    case .exactly(let count): count
    case .between(_, let high): high ?? .max
    }
  }
}

extension ExpectedCount {
  /// What two expectations that are one want together.
  static func + (left: Self, right: Self) -> Self {
    func sum(_ left: Int, _ right: Int) -> Int {
      let (sum, isTooLarge) = left.addingReportingOverflow(right)
      return isTooLarge ? .max : sum
    }
    if case .exactly(let left) = left, case .exactly(let right) = right {
      return .exactly(sum(left, right))
    }
    let most = sum(left.most, right.most)
    let least = sum(left.least, right.least)
    return .between(atLeast: least == 0 ? nil : least, atMost: most == .max ? nil : most)
  }
}

extension ExpectedCount: CustomStringConvertible {
  package var description: String {
    switch self {
    case .exactly(let count): "\(count)"
    case .between(let low?, nil): "at least \(low)"
    case .between(nil, let high?): "at most \(high)"
    case .between(let low?, let high?): "\(low) to \(high)"
    case .between(nil, nil): "any number"
    }
  }
}
