import Foundation
import HarnessProtocol
import JSON
import RequestMatching
import SourceText

/// One thing to run and to judge: a scenario file, or one case of it.
///
/// Variables are replaced, `repeat` and `use` unrolled: what is here is what happens.
package struct Scenario: Sendable {
  package var reference: ScenarioReference
  package var description: String?
  /// Program and arguments; from the configuration where absent.
  package var app: [String]?
  /// Launch-environment keys with files under the fixtures folder.
  package var fixtures: [FixtureEntry] = []
  /// Stub files under the fixtures folder.
  package var stubs: [FileReference] = []
  package var environment: [String: String] = [:]
  package var arguments: [String] = []
  /// What its first action says of the launch.
  package var launch: LaunchStep?
  /// One for each action of the file's own list.
  package var spans: [ActionSpan] = []
  /// What the variables of the case are, by name; empty where there are no cases.
  package var caseValues: [String: String] = [:]
  /// In the order in which they run, ids from 1.
  package var steps: [Step]
  /// What a `repeat` or a `use` as a whole sends; the steps themselves are in `steps`.
  package var groups: [StepGroup]
  package var expected: [Expectation]
  package var unexpected = UnexpectedPolicy.fail
  /// What a fixture or a stubbed body does to the verdict that the app can't decode.
  package var undecodable = UnexpectedPolicy.warn
  /// Hosts, `*` allowed, whose requests must all be named, stubbed or not; every host where absent.
  package var tracking: [String]?
  /// What finds the events in requests; the configuration's too.
  package var decoders: [EventDecoder] = []
  /// The configuration's.
  package var lint = LintPolicy()
  /// The configuration's; `nil` where there is none.
  package var trackingPlan: TrackingPlan?
  /// Names of query parameters, `*` allowed, that are ignored when URLs are compared.
  package var volatileParameters: [String]
  /// When answers are delivered; at once where absent.
  package var schedule: Schedule?
  /// When the app's clock starts, as ISO 8601 has it; `StartDate.defaultText` where absent.
  package var startDate: String?
  /// For the whole scenario, launch to exit; from the configuration where absent.
  package var timeout: Duration?
  package var skipReason: String?
  /// Why the scenario is known to fail.
  package var knownIssue: String?
  package var location: SourceLocation

  package init(
    reference: ScenarioReference, steps: [Step], groups: [StepGroup] = [], expected: [Expectation],
    volatileParameters: [String] = [], location: SourceLocation
  ) {
    self.reference = reference
    self.steps = steps
    self.groups = groups
    self.expected = expected
    self.volatileParameters = volatileParameters
    self.location = location
  }
}

/// What an accounted request that no expectation names does to the verdict.
package enum UnexpectedPolicy: String, Sendable, CaseIterable {
  case fail
  /// It is a warning of the result.
  case warn
  case allow
}

/// A file that a scenario names.
package struct FileReference: Sendable {
  package var path: String
  package var location: SourceLocation
  /// Of stubs: the values in it that no output shows.
  package var credentials: Set<String> = []
  /// Of stubs: whether the configuration names them, for all scenarios.
  package var isOfProject = false
  /// Of stubs: whether it is a capture.
  package var isCapture = false
}

package struct FixtureEntry: Sendable {
  package var key: String
  package var file: FileReference
}

extension Scenario {
  /// Every list of expectations that it has.
  package var expectationLists: [[Expectation]] {
    let ofSteps = steps.flatMap { step -> [[Expectation]] in
      guard case .expectRequests(let expectations) = step.action else { return [] }
      return [expectations]
    }
    return [expected] + [launch?.sends].compactMap(\.self) + groups.map(\.sends)
      + steps.compactMap(\.sends) + ofSteps
  }
}

/// Which scenario this is, on every machine and from one run to the next: its file and its case.
///
/// Unlike a selector it names no line, so that an edit above a case does not make it another one.
package struct ScenarioIdentity: Sendable, Hashable {
  /// Relative to the project's folder where the file lies in it.
  package var path: String
  package var caseName: String?

  package init(path: String, caseName: String? = nil) {
    self.path = path
    self.caseName = caseName
  }

  package var text: String { caseName.map { "\(path) [\($0)]" } ?? path }

  /// By bytes, as names of files are told apart.
  package static func == (left: Self, right: Self) -> Bool {
    left.path.hasSameBytes(as: right.path)
      && left.caseName.map(ByteText.init) == right.caseName.map(ByteText.init)
  }
}

extension ScenarioIdentity: Comparable {
  package static func < (left: Self, right: Self) -> Bool { left.text < right.text }
}

/// Who a scenario is: enough to name it, to find it and to run it again.
package struct ScenarioReference: Sendable, Hashable {
  /// The file, as the user's PATH led to it.
  package var path: String
  /// The CSV file that the case is a row of; `position` is then a place in it.
  package var caseFile: String?
  /// The line of the scenario's object or of its case, for `file:line`.
  package var position: SourcePosition
  /// The scenario's name, without the case.
  package var scenarioName: String
  /// The case's name, or its number from 1 where it has none.
  package var caseName: String?
  package var tags: [String]

  package init(
    path: String, position: SourcePosition = SourcePosition(line: 1, column: 1),
    scenarioName: String, caseName: String? = nil, caseFile: String? = nil, tags: [String] = []
  ) {
    self.path = path
    self.position = position
    self.scenarioName = scenarioName
    self.caseName = caseName
    self.caseFile = caseFile
    self.tags = tags
  }

  /// What an error of no scenario is told of.
  package static let wholeRun = ScenarioReference(
    path: "scenario-run", scenarioName: "The run as a whole")

  /// `name`, or `name [case]`.
  package var name: String {
    caseName.map { "\(scenarioName) [\($0)]" } ?? scenarioName
  }

  /// What runs exactly this again: the file, or `file:line` of a case.
  package var selector: String {
    caseName == nil ? path : "\(caseFile ?? path):\(position.line)"
  }

  /// Where it stands, as `file:line`: this too runs exactly it again.
  package var place: String { "\(caseFile ?? path):\(position.line)" }
}

extension Scenario {
  /// When the app's clock starts, in seconds since 1970.
  package var clockStart: Double? {
    let text = startDate ?? StartDate.defaultText
    return (try? Date.ISO8601FormatStyle().parse(text))?.timeIntervalSince1970
  }
}
