import JSON
import RequestMatching
import SourceText

/// What `.scenario-run.json` says; a scenario's own value and an option beat it.
package struct Configuration: Sendable {
  /// The file's name, looked for from the first PATH upwards.
  package static let fileName = ".scenario-run.json"
  /// How long a scenario may take where nobody says.
  package static let defaultTimeout = Duration.seconds(30)
  /// Where fixtures are where nobody says, beside the configuration file.
  package static let defaultFixturesDirectory = "Fixtures"

  /// Program and arguments.
  package var app: [String]?
  /// As it is written: relative to the configuration file's folder.
  package var fixturesDirectory: String?
  package var jobs: Int?
  package var timeout: Duration?
  /// Added to each launch; a scenario's own values beat them.
  package var environment: [String: String] = [:]
  /// Added to those of each scenario.
  package var volatileParameters: [String] = []
  package var network = NetworkAccess.sealed(ignoredHosts: [])
  /// For each scenario that names none: the hosts whose requests must all be named, stubbed or not;
  /// every host where absent.
  package var tracking: [String]?
  /// What finds the events in requests, for each scenario.
  package var decoders: [EventDecoder] = []
  /// Stub files under the fixtures folder, for each scenario; its own mappings come first.
  package var stubs: [FileReference] = []
  /// Which events may be tracked; `nil` where nobody says.
  package var trackingPlan: TrackingPlan?
  package var lint = LintPolicy()
  /// What is doubtful in the file.
  package var warnings: [Diagnostic] = []

  package init() {}
}

/// What becomes of what an app, or a program that it starts, sends past the sessions that the kit
/// intercepts.
package enum NetworkAccess: Sendable, Equatable {
  /// It is refused, and the scenario is errored; for these hosts it is only refused. `*` stands for
  /// any number of characters.
  case sealed(ignoredHosts: [String])
  /// It passes.
  case open
}

/// Which events an app may track, and what each of them looks like.
package struct TrackingPlan: Sendable {
  /// By the events' names.
  package var events: [ByteText: JSONSchema]
  /// The paths of the schemas.
  package var files: Set<String> = []

  package init(events: [ByteText: JSONSchema]) { self.events = events }
}
