import ScenarioCore

/// Makes something for people or for CI from the events of a run.
///
/// One that throws is not called again; the others go on.
package protocol Reporter: AnyObject {
  /// What it makes, as a message names it: `the JUnit report results.xml`.
  var name: String { get }

  /// - Parameter result: the run so far, this event included.
  func handle(_ event: RunEvent, _ result: RunResult) throws

  /// Time has passed without an event; for what shows time.
  func tick() throws
}

extension Reporter {
  package func tick() throws {}
}
