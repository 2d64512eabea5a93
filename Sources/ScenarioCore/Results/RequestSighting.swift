import HarnessWire
import RequestMatching

/// A recorded request as a finding shows it.
package struct RequestSighting: Sendable {
  package var method: String?
  package var url: String
  /// Seconds since launch.
  package var time: Double?
  /// The action that caused it; `nil` where the store doesn't say.
  package var cause: RequestCause?
  package var answer: RecordedRequest.Answer?
  /// Whether the app cancelled the request before it was answered.
  package var isCancelled: Bool

  package init(
    method: String? = nil, url: String, time: Double? = nil, cause: RequestCause? = nil,
    answer: RecordedRequest.Answer? = nil, isCancelled: Bool = false
  ) {
    self.method = method
    self.url = url
    self.time = time
    self.cause = cause
    self.answer = answer
    self.isCancelled = isCancelled
  }
}

/// What was in hand when a request was caused.
package enum RequestCause: Sendable {
  case launch
  case step(StepReference)
  /// After the last action: while the app shut down.
  case shutdown
}

/// A request that is nearly the wanted one.
package struct NearMiss: Sendable {
  package var request: RequestSighting
  /// How many such requests there are.
  package var count: Int
  package var differences: [Difference]

  package init(request: RequestSighting, count: Int = 1, differences: [Difference]) {
    self.request = request
    self.count = count
    self.differences = differences
  }
}

package typealias Difference = RequestMatching.Difference
