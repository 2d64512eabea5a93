import JSON
import RequestMatching
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
      .init(
        "trackingPlan", .map(.nonEmptyString),
        "Names of events, each with a JSON Schema file, relative to this file; no others may be tracked."
      ),
      .init(
        "lint", .either([.choice(LintLevel.self), .object("lint")]),
        "What is done about values that no tracker should get: one word for all rules, or one for each;"
          + " \"warn\" where absent."),
      .stubs,
    ],
    misplacedKeys: ObjectShape.misplaced(
      (ScenarioShapes.scenarioKeys, "belongs in a scenario file.")))

  package static let network: ObjectShape = .init(
    "\"network\"",
    keys: [
      .init(
        "ignored", .list(.nonEmptyString),
        "Hosts and addresses, * allowed, that are refused without failing a scenario.",
        required: true)
    ])

  package static let lint = ObjectShape(
    "\"lint\"",
    keys: LintRule.allCases.map { rule in
      .init(
        rule.rawValue, .choice(LintLevel.self), "A value is \(rule.words.prefix { $0 != ":" }).")
    })

  /// - Parameters:
  ///   - files: reads the files that it names; where absent, nobody looks for them.
  ///   - fixtures: the fixtures folder, in place of the configuration's.
  /// - Returns: `nil` where the file, or one that it names, has an error.
  package static func decode(
    _ file: SourceFile, files: (any FileAccess)? = nil, fixtures: String? = nil
  ) -> (configuration: Configuration?, diagnostics: [Diagnostic]) {
    let diagnostics = DiagnosticCollector()
    let (node, problems) = JSONParser.parse(file)
    diagnostics.report(problems)
    var decoded = node.flatMap { configuration($0, diagnostics) }
    if let files, let reader = node.flatMap({ ObjectReader($0, shape, DiagnosticCollector()) }) {
      let named = ConfiguredFiles(
        folder: FilePath.folder(of: file.path), files: files, diagnostics: diagnostics)
      decoded?.trackingPlan = named.trackingPlan(reader)
      if let plan = reader.value("trackingPlan"), decoded?.decoders.isEmpty == true {
        diagnostics.warning(
          "\"trackingPlan\" judges events, but no \"decoders\" beside it say where events are. Only"
            + " scenarios with decoders of their own are checked.", at: plan.location)
      }
      let own = decoded?.fixturesDirectory ?? Configuration.defaultFixturesDirectory
      named.check(decoded?.stubs ?? [], under: fixtures ?? FilePath.join(named.folder, own))
    }
    let sorted = DiagnosticOrder.sorted(diagnostics.diagnostics, mainPath: file.path)
    decoded?.warnings = sorted
    return (diagnostics.hasErrors ? nil : decoded, sorted)
  }

  private static func configuration(
    _ node: JSONNode, _ diagnostics: DiagnosticCollector
  ) -> Configuration? {
    guard let reader = ObjectReader(node, shape, diagnostics) else { return nil }
    var configuration = Configuration()
    configuration.app = reader.program()
    configuration.fixturesDirectory = reader.string("fixturesDirectory")
    configuration.jobs = reader.integer("jobs")
    configuration.timeout = reader.seconds("timeout")
    configuration.environment = reader.environment()
    configuration.volatileParameters = reader.volatileParameters()
    configuration.tracking = reader.tracking()
    configuration.network = network(reader)
    configuration.decoders = EventsDecoder(diagnostics: diagnostics).decoders(reader).map {
      var decoder = $0
      decoder.isOfProject = true
      return decoder
    }
    configuration.stubs = reader.stubNodes().compactMap { node in
      guard let name = node.stringValue else { return nil }
      var file = FileReference(path: name, location: node.location)
      file.isOfProject = true
      return file
    }
    configuration.lint = lint(reader)
    return configuration
  }

  private static func network(_ reader: ObjectReader) -> NetworkAccess {
    guard let node = reader.value("network") else { return .sealed(ignoredHosts: []) }
    if node.stringValue != nil { return .open }
    let sealed = ObjectReader(node, network, reader.diagnostics)
    return .sealed(ignoredHosts: sealed?.strings("ignored") ?? [])
  }

  private static func lint(_ reader: ObjectReader) -> LintPolicy {
    guard let node = reader.value("lint") else { return LintPolicy() }
    if let level = node.stringValue.flatMap(LintLevel.init) { return LintPolicy(level) }
    var policy = LintPolicy()
    guard let levels = ObjectReader(node, lint, reader.diagnostics) else { return policy }
    for rule in LintRule.allCases {
      if let level = levels.choice(rule.rawValue, LintLevel.self) { policy[rule] = level }
    }
    return policy
  }
}

/// The files that a configuration names.
private struct ConfiguredFiles {
  /// Of the configuration.
  let folder: String
  let files: any FileAccess
  let diagnostics: DiagnosticCollector

  /// Reads the schemas of the plan; what is wrong with them is reported.
  func trackingPlan(_ reader: ObjectReader) -> TrackingPlan? {
    guard let members = reader.members("trackingPlan") else { return nil }
    var known: [String: JSONSchema?] = [:]
    var plan = TrackingPlan(events: [:])
    for member in members {
      guard let name = member.value.stringValue else { continue }
      let schema = known[name] ?? schema(name, member.value)
      known[name] = .some(schema)
      plan.events[ByteText(member.key)] = schema
      plan.files.insert(FilePath.join(folder, name))
    }
    return plan
  }

  private func schema(_ name: String, _ node: JSONNode) -> JSONSchema? {
    if name.hasPrefix("/") || FilePath.normalized(name).hasPrefix("..") {
      diagnostics.error(
        "The schema \"\(name)\" leads out of the project. Name a file inside the folder of"
          + " \(Configuration.fileName).", in: node)
      return nil
    }
    let session = DecodingSession(ScenarioDecoder(files: files))
    let path = FilePath.join(folder, name)
    let bytes = session.read(path, "schema", from: node.location)
    diagnostics.report(session.diagnostics.diagnostics)
    guard let bytes else { return nil }
    let (root, problems) = JSONParser.parse(SourceFile(path: name, bytes: bytes))
    diagnostics.report(problems)
    guard problems.isEmpty, let root else { return nil }
    return JSONSchema(root, diagnostics)
  }

  func check(_ stubs: [FileReference], under fixturesDirectory: String) {
    let fixtures = FixturesFolder(path: fixturesDirectory, files: files)
    for stub in stubs {
      guard let problem = fixtures.problem(with: stub.path) else { continue }
      diagnostics.error(problem.message, at: stub.location, suggestions: problem.suggestions)
    }
  }
}
