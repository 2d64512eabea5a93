/// The names in the environment that the runner gives to an app.
package enum LaunchEnvironment {
  /// The launch's own empty shared folder.
  package static let sharedDirectory = "SIMULATOR_SHARED_RESOURCES_DIRECTORY"
  /// The folder in which fixture names are looked up.
  package static let fixturesDirectory = "SCENARIO_FIXTURES_DIRECTORY"
  /// Stub files, named relative to the fixtures folder, separated by `:`.
  package static let stubs = "SCENARIO_STUBS"
  /// `1` in every app that the runner started.
  package static let scenarioRun = "SCENARIO_RUN"
  /// The date at which the app's clock starts, as ISO 8601 has it.
  package static let startDate = "SCENARIO_START_DATE"
  package static let defaultStartDate = "2026-01-01T00:00:00Z"
  /// In a relaunch: where the app's clock goes on, in seconds since that date.
  package static let clock = "SCENARIO_CLOCK"
  /// `offline`: the app was killed without a network, and is launched without one.
  package static let network = "SCENARIO_NETWORK"
  /// What the app's random numbers follow from: a whole number below 2^64.
  package static let seed = "SCENARIO_SEED"
  /// When answers are delivered, and what becomes of them: the text of a `Schedule`. Absent: at once.
  package static let schedule = "SCENARIO_SCHEDULE"
  /// `1`: Swift's hash values, and so the order of its sets and dictionaries, are the same in every run.
  package static let deterministicHashing = "SWIFT_DETERMINISTIC_HASHING"
}

/// The names in a shared folder: nothing but the store may be in it.
enum StoreLayout {
  private static let sharedFile = "storedRequests.jsonl"
  private static let prefix = "storedRequests."
  private static let suffix = ".jsonl"

  /// The file of one process.
  static func storeFile(processID: Int32) -> String { "\(prefix)\(processID)\(suffix)" }

  static func isStoreFile(_ name: String) -> Bool {
    if name == sharedFile { return true }
    guard name.hasPrefix(prefix), name.hasSuffix(suffix) else { return false }
    let processID = name.utf8.dropFirst(prefix.utf8.count).dropLast(suffix.utf8.count)
    return !processID.isEmpty && processID.allSatisfy { (0x30...0x39).contains($0) }
  }
}
