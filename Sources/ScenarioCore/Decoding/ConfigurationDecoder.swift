import SourceText

/// Turns `.scenario-run.json` into a configuration, telling everything that is wrong in one go.
package enum ConfigurationDecoder {
  package static let shape: ObjectShape = .init(
    "the configuration",
    keys: [
      .schema, .app,
      .init(
        "fixturesDirectory", .nonEmptyString,
        "The folder of the fixtures, relative to this file; "
          + "\(ObjectShape.Key.whereAbsent(Configuration.defaultFixturesDirectory))."),
      .init(
        "jobs", .integer(1...10_000), "How many scenarios run at a time; the cores where absent."),
      .timeout, .environment, .volatileParameters,
      .init(
        "network", .either([.choice(["open"]), .object("network")]),
        "What becomes of what leaves the app past its URLSessions; refused where absent."),
      .tracking,
      .init("decoders", EventShapes.decoders, EventShapes.decodersSummary),
    ],
    misplacedKeys: misplacedKeys)

  package static let network: ObjectShape = .init(
    "\"network\"",
    keys: [
      .init(
        "ignored", .list(.nonEmptyString),
        "Hosts and addresses, * allowed, that are refused without failing a scenario.",
        required: true)
    ])

  private static let misplacedKeys: [String: String] = ScenarioShapes.scenarioKeys
    .subtracting(shape.keys.map(\.name))
    .reduce(into: [:]) { $0[$1] = "belongs in a scenario file." }

  /// - Returns: `nil` where the file has an error.
  package static func decode(
    _ file: SourceFile
  ) -> (configuration: Configuration?, diagnostics: [Diagnostic]) {
    let diagnostics = DiagnosticCollector()
    let (node, problems) = JSONParser.parse(file)
    diagnostics.report(problems)
    let decoded = node.flatMap { configuration($0, diagnostics) }
    return (
      diagnostics.hasErrors ? nil : decoded,
      DiagnosticOrder.sorted(diagnostics.diagnostics, mainPath: file.path)
    )
  }

  private static func configuration(
    _ node: JSONNode, _ diagnostics: DiagnosticCollector
  ) -> Configuration? {
    guard let reader = ObjectReader(node, shape, diagnostics) else { return nil }
    let app = LaunchDecoder.program(reader, diagnostics)
    var configuration = Configuration(
      app: app, fixturesDirectory: reader.string("fixturesDirectory"),
      jobs: reader.integer("jobs"), timeout: reader.seconds("timeout"),
      environment: LaunchDecoder.environment(reader, diagnostics),
      volatileParameters: LaunchDecoder.volatileParameters(reader, diagnostics),
      tracking: LaunchDecoder.tracking(reader, diagnostics),
      network: network(reader, diagnostics))
    configuration.decoders = EventsDecoder(diagnostics: diagnostics).decoders(reader)
    return configuration
  }

  private static func network(
    _ reader: ObjectReader, _ diagnostics: DiagnosticCollector
  ) -> NetworkAccess {
    guard let node = reader.value("network") else { return .sealed(ignoredHosts: []) }
    if node.stringValue != nil { return .open }
    let sealed = ObjectReader(node, network, diagnostics)
    return .sealed(ignoredHosts: sealed?.strings("ignored") ?? [])
  }
}
