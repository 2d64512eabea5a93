import RequestMatching
import SourceText

/// Which events an app may track, and what each of them looks like.
package struct TrackingPlan: Sendable {
  /// By the names of the events.
  package var events: [String: JSONSchema]
  /// The paths of the schemas.
  package var files: Set<String> = []

  package init(events: [String: JSONSchema]) { self.events = events }
}
