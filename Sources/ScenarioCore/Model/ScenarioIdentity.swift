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
}

extension ScenarioIdentity: Comparable {
  package static func < (left: Self, right: Self) -> Bool { left.text < right.text }
}
