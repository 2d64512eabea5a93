import HarnessProtocol
import RequestMatching

/// A recorded request as a finding shows it.
package struct RequestOccurrence: Sendable {
  package var method: String?
  package var url: String
  /// Wall time: seconds since launch.
  package var time: Double?
  /// The app's clock: seconds since its start date.
  package var clock: Double?
  /// The action that caused it; `nil` where the store doesn't say.
  package var cause: RequestCause?
  package var answer: RecordedRequest.Answer?
  /// How it ended for the app, where the store says so.
  package var end: RequestEnd?

  package init(
    method: String? = nil, url: String, time: Double? = nil, clock: Double? = nil,
    cause: RequestCause? = nil, answer: RecordedRequest.Answer? = nil, end: RequestEnd? = nil
  ) {
    self.method = method
    self.url = url
    self.time = time
    self.clock = clock
    self.cause = cause
    self.answer = answer
    self.end = end
  }

  /// When it was sent: by the app's clock, or where the store has none by the wall's.
  package var sentAt: Double? { clock ?? time }
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
  package var request: RequestOccurrence
  /// How many such requests there are.
  package var count: Int
  package var differences: [Difference]

  package init(request: RequestOccurrence, count: Int = 1, differences: [Difference]) {
    self.request = request
    self.count = count
    self.differences = differences
  }
}

package typealias Difference = RequestMatching.Difference
