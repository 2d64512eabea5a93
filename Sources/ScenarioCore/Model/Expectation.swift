import RequestMatching
import SourceText

/// A request pattern with the number of requests that must match it.
package struct Expectation: Sendable {
  package var pattern: RequestPattern
  package var count: ExpectedCount
  package var location: SourceLocation

  package init(pattern: RequestPattern, count: ExpectedCount, location: SourceLocation) {
    self.pattern = pattern
    self.count = count
    self.location = location
  }
}

/// How often a request must have been sent.
package enum ExpectedCount: Sendable, Equatable {
  case exactly(Int)
  /// At least one bound is set.
  case between(atLeast: Int?, atMost: Int?)

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
