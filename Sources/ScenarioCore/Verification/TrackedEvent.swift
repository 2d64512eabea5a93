import Foundation
import HarnessProtocol
import RequestMatching

/// An event that counts: one that wasn't sent before, or arrived twice.
package struct TrackedEvent: Sendable {
  package var event: AnalyticsEvent
  /// The id of the action that tracked it; `nil` where nobody knows.
  package var action: Int?
}

extension Verification {
  /// The events of a trace, in the order of its requests.
  ///
  /// What can't be told of them is told with the verdict.
  package static func events(of scenario: Scenario, in trace: Trace) -> [TrackedEvent] {
    var verification = Verification(scenario: scenario, times: ActionTimes(trace, of: scenario))
    return trace.requests.flatMap { traced in
      verification.traced(traced.events, of: traced.request).filter { !$0.isRetry }
        .map { TrackedEvent(event: $0.event, action: $0.action) }
    }
  }
}

extension Scenario {
  /// When the app's clock starts, in seconds since 1970.
  package var clockStart: Double? {
    let text = startDate ?? LaunchEnvironment.defaultStartDate
    return (try? Date.ISO8601FormatStyle().parse(text))?.timeIntervalSince1970
  }
}
