import JSON
import RequestMatching
import SourceText

/// Which events an app may track, and what each of them looks like.
package struct TrackingPlan: Sendable {
  /// By the events' names.
  package var events: [ByteText: JSONSchema]
  /// The paths of the schemas.
  package var files: Set<String> = []

  package init(events: [ByteText: JSONSchema]) { self.events = events }
}
