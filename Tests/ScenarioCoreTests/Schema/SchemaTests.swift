import Foundation
import HarnessProtocol
import JSON
import RequestMatching
import ScenarioCore
import ScenarioReporting
import SourceText
import StubMappings
import Testing

@Suite struct SchemaTests {
  private static let schemas = Dictionary(
    uniqueKeysWithValues: SchemaSubject.allCases.compactMap { subject in
      let file = SourceFile(path: subject.fileName, text: SchemaGenerator(subject).text())
      let schema = JSONParser.parse(file).node.flatMap { JSONSchema($0, DiagnosticCollector()) }
      return schema.map { (subject, $0) }
    })

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

  @Test("Schema and decoder agree about stub mappings", arguments: SchemaSamples.stubs)
  func stubs(sample: SchemaSample) throws {
    try check(sample, in: sample.text, .stubs)
    if sample.text.contains("\"request\"") {
      try check(sample, in: "{\"mappings\": [\(sample.text)]}", .stubs)
    }
  }

  @Test("The schemas beside the editor's settings are those that the command prints")
  func files() throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../.vscode").standardizedFileURL
    for subject in SchemaSubject.allCases {
      try Golden.check(
        SchemaGenerator(subject).text(), at: folder.appending(path: subject.fileName))
    }
  }

  @Test("Schema and decoder agree about the configuration", arguments: SchemaSamples.configurations)
  func configurations(sample: SchemaSample) throws {
    try check(sample, in: sample.text, .configuration)
  }

  private func check(_ sample: SchemaSample, in text: String, _ subject: SchemaSubject) throws {
    let file = SourceFile(path: "scenario.json", text: text)
    let value = JSONValue(try #require(JSONParser.parse(file).node))
    let schema = try #require(Self.schemas[subject])
    #expect(try schema.accepts(value) == sample.isValid, "the schema")
    let diagnostics = decode(file, subject).filter { $0.severity == .error }
    #expect(
      diagnostics.isEmpty == sample.isValid,
      "the decoder: \(DiagnosticRenderer().render(diagnostics))")
  }

  private func decode(_ file: SourceFile, _ subject: SchemaSubject) -> [Diagnostic] {
    switch subject {
    case .stubs:
      let diagnostics = DiagnosticCollector()
      var stubs = StubSet()
      stubs.add(file, diagnostics)
      return diagnostics.diagnostics
    case .scenario: return ScenarioDecoder(files: FilesInMemory()).decode(file).diagnostics
    case .configuration: return ConfigurationDecoder.decode(file).diagnostics
    case .steps:
      let files = FilesInMemory(contents: ["steps.json": file.text(in: file.bytes.indices)])
      let user = #"{"actions": [{"use": "steps.json"}], "expected": []}"#
      return ScenarioDecoder(files: files).decode(SourceFile(path: "scenario.json", text: user))
        .diagnostics
    }
  }
}
