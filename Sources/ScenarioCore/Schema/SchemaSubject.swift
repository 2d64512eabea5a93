/// The kinds of files for which there is a JSON Schema.
package enum SchemaSubject: String, CaseIterable, Sendable {
  case scenario, steps, stubs, configuration

  package var title: String {
    switch self {
    case .scenario: "A scenario of scenario-run"
    case .steps: "Steps that scenarios of scenario-run share"
    case .stubs: "Stub mappings for scenario-run"
    case .configuration: "The configuration of scenario-run"
    }
  }

  /// The file's name where the schemas are kept beside an editor's settings.
  package var fileName: String { "\(rawValue).schema.json" }
}
