import SourceText

/// Which action a finding speaks of.
package struct StepReference: Sendable {
  package var id: Int
  package var title: String
  package var location: SourceLocation

  package init(id: Int, title: String, location: SourceLocation) {
    self.id = id
    self.title = title
    self.location = location
  }

  package init(_ step: Step) {
    self.init(id: step.id, title: step.title, location: step.location)
  }
}
