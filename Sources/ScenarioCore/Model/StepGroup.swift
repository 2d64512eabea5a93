import SourceText

/// The steps of a `repeat` or a `use` that has `sends`: together they cause exactly these requests.
package struct StepGroup: Sendable {
  package var title: String
  /// The ids of its steps; empty where it is repeated no times.
  package var stepIDs: Range<Int>
  package var sends: [Expectation]
  package var location: SourceLocation

  package init(
    title: String, stepIDs: Range<Int>, sends: [Expectation], location: SourceLocation
  ) {
    self.title = title
    self.stepIDs = stepIDs
    self.sends = sends
    self.location = location
  }
}
