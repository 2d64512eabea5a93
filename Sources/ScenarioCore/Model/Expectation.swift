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
  /// Whose values the pattern expects.
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
    arrivals.count = delivered ?? ExpectedCount(most: count.most)
    return arrivals
  }
}

/// How often a request must have been sent: from `least` through `most` times.
package struct ExpectedCount: Sendable, Equatable {
  package var least: Int
  package var most: Int

  package init(least: Int = 0, most: Int = .max) {
    self.least = least
    self.most = most
  }

  /// Where nothing is said of it.
  package static let anyNumber = ExpectedCount()

  package static func exactly(_ count: Int) -> Self { Self(least: count, most: count) }

  package func accepts(_ count: Int) -> Bool { count >= least && count <= most }

  /// What two expectations that are one want together.
  static func + (left: Self, right: Self) -> Self {
    Self(least: left.least.saturatedSum(right.least), most: left.most.saturatedSum(right.most))
  }
}

extension Int {
  /// The sum of two numbers that aren't negative; the greatest number where it doesn't fit.
  func saturatedSum(_ other: Int) -> Int {
    let (sum, isTooLarge) = addingReportingOverflow(other)
    return isTooLarge ? .max : sum
  }
}

extension ExpectedCount: CustomStringConvertible {
  package var description: String {
    switch (least, most) {
    case (0, .max): "any number"
    case (_, .max): "at least \(least)"
    case _ where least == most: "\(least)"
    case (0, _): "at most \(most)"
    default: "\(least) to \(most)"
    }
  }
}
