import JSON
import ScenarioCore

/// Which scenarios did not pass when they last ran; kept in a file from one run to the next.
///
/// What a run does not touch stays known. A scenario that is no longer there harms nothing.
package struct FailureMemory: Sendable {
  private static let version = 1

  package private(set) var failed: Set<ScenarioIdentity> = []
  private var failedNow: Set<ScenarioIdentity> = []
  private var passedNow: Set<ScenarioIdentity> = []

  package init() {}

  /// - Throws: where the bytes aren't such a file, or that of a later version.
  package init(bytes: [UInt8]) throws {
    let written = try JSONValue(parsing: bytes)
    guard written["version"]?.int == Self.version, let entries = written["failed"]?.array else {
      throw UnknownVersion()
    }
    failed = try Set(entries.map(Self.scenario))
  }

  private static func scenario(_ entry: JSONValue) throws(UnknownVersion) -> ScenarioIdentity {
    guard let path = entry["path"]?.string else { throw UnknownVersion() }
    return ScenarioIdentity(path: path, caseName: entry["case"]?.string)
  }

  package struct UnknownVersion: Error {}

  /// Whether something that failed is not known by its name, because that holds a secret.
  package var hasUnnamed: Bool { failed.contains(where: Self.isUnnamed) }

  private static func isUnnamed(_ scenario: ScenarioIdentity) -> Bool {
    (scenario.path + (scenario.caseName ?? "")).contains(Credentials.mask)
  }

  /// Of several results of a run, one that did not pass is enough.
  package mutating func note(_ scenario: ScenarioIdentity, passed: Bool) {
    if !passed {
      failedNow.insert(scenario)
    } else if failed.contains(scenario) {
      passedNow.insert(scenario)
    }
  }

  /// What is known once what was noted here is added to it.
  ///
  /// - Parameter latest: as the file is now: another run may have written it in the meantime.
  package func added(to latest: FailureMemory) -> FailureMemory {
    var sum = FailureMemory()
    sum.failed = latest.failed.subtracting(passedNow).union(failedNow)
    return sum
  }

  /// - Parameter isThere: whether a file still exists; what failed in another one is forgotten.
  package func bytes(where isThere: (String) -> Bool) -> [UInt8] {
    let entries = failed.filter { Self.isUnnamed($0) || isThere($0.path) }.sorted()
    let written: JSONValue = [
      "version": .integer(Self.version),
      "failed": .array(
        entries.map { ["path": .string($0.path), "case": $0.caseName.map(JSONValue.string)] }),
    ]
    return written.bytes(.pretty) + [0x0A]
  }
}
