import HarnessWire
import ScenarioCore
import SourceText
import Testing

@Suite struct SchemaTests {
  @Test("Schema and decoder agree about actions", arguments: SchemaSamples.actions)
  func actions(sample: SchemaSample) throws {
    try check(sample, in: "{\"actions\": [\(sample.text)], \"expected\": []}", .scenario)
    try check(sample, in: "{\"actions\": [\(sample.text)]}", .steps)
  }

  @Test("Schema and decoder agree about expectations", arguments: SchemaSamples.expectations)
  func expectations(sample: SchemaSample) throws {
    try check(sample, in: "{\"actions\": [], \"expected\": [\(sample.text)]}", .scenario)
  }

  @Test("Schema and decoder agree about a scenario's own keys", arguments: SchemaSamples.scenarios)
  func scenarios(sample: SchemaSample) throws {
    try check(sample, in: sample.text, .scenario)
  }

  @Test("Schema and decoder agree about the configuration", arguments: SchemaSamples.configurations)
  func configurations(sample: SchemaSample) throws {
    try check(sample, in: sample.text, .configuration)
  }

  private func check(_ sample: SchemaSample, in text: String, _ subject: SchemaSubject) throws {
    let file = SourceFile(path: "scenario.json", text: text)
    let value = JSONValue(try #require(JSONParser.parse(file).node))
    let schema = SchemaEvaluator(root: SchemaGenerator(subject).schema())
    #expect(try schema.accepts(value) == sample.isValid, "the schema")
    let diagnostics = decode(file, subject)
    #expect(
      diagnostics.isEmpty == sample.isValid,
      "the decoder: \(DiagnosticRenderer().render(diagnostics))")
  }

  private func decode(_ file: SourceFile, _ subject: SchemaSubject) -> [Diagnostic] {
    switch subject {
    case .scenario, .stubs: return ScenarioDecoder(files: FilesInMemory()).decode(file).diagnostics
    case .configuration: return ConfigurationDecoder.decode(file).diagnostics
    case .steps:
      let files = FilesInMemory(contents: ["steps.json": file.text(in: file.bytes.indices)])
      let user = #"{"actions": [{"use": "steps.json"}], "expected": []}"#
      return ScenarioDecoder(files: files).decode(SourceFile(path: "scenario.json", text: user))
        .diagnostics
    }
  }
}
