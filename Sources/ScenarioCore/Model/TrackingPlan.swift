import RequestMatching
import SourceText

/// Which events an app may track, and what each of them looks like.
package struct TrackingPlan: Sendable {
  /// By the bytes of the events' names: as texts, two spellings of "é" would be one event.
  package var events: [[UInt8]: JSONSchema]
  /// The paths of the schemas.
  package var files: Set<String> = []

  package init(events: [[UInt8]: JSONSchema]) { self.events = events }
}
