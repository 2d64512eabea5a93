import Foundation
import ScenarioCore
import SourceText

/// Decodes scenario files and selects what is run.
package struct Planner {
  /// How many decoded scenarios a plan keeps; the others are decoded again when their turn comes, so
  /// that memory does not grow with their size.
  static let keptLimit = 512
  /// A file with more cases than that would be decoded too often where the order is not the files'.
  private static let casesLimit = 16

  private let files: LocalFiles
  private let decoder: ScenarioDecoder

  /// - Parameters:
  ///   - fixturesDirectory: where the fixtures that scenarios name must be.
  ///   - configuration: what holds for scenarios that say nothing of their own.
  package init(
    files: LocalFiles, fixturesDirectory: String, configuration: Configuration = Configuration()
  ) {
    self.files = files
    decoder = ScenarioDecoder(
      files: files, fixturesDirectory: fixturesDirectory, configuration: configuration)
  }

  package func plan(
    _ discovered: some Sequence<Discovery.File>, selecting selection: Selection
  ) -> Plan {
    var plan = Plan(loader: ScenarioLoader(files: files, decoder: decoder))
    for file in discovered { add(file, to: &plan, selecting: selection) }
    // A fault of a stub file is one of each scenario that names it, but is told once.
    var told: Set<String> = []
    plan.diagnostics.removeAll { !told.insert(Self.identity(of: $0)).inserted }
    plan.scenarioCount = plan.entries.count
    selection.apply(to: &plan)
    return plan
  }

  private func add(
    _ file: Discovery.File, to plan: inout Plan, selecting selection: Selection
  ) {
    let source: SourceFile
    do {
      source = try files.source(file.path)
    } catch {
      return addUnreadable(file, error, to: &plan)
    }
    if file.isAmongSteps, !Self.isScenario(source) { return }
    let decoded = decoder.decode(source)
    if let table = file.table, !decoded.hasErrors, !uses(table, decoded.scenarios) { return }
    plan.diagnostics += decoded.diagnostics
    plan.usedFixtures.formUnion(decoded.usedFixtures)
    let hash = selection.sharding.map { _ in StableHash.of(source.bytes) }
    if decoded.hasErrors {
      let content = PlannedScenario.Content.invalid(decoded.diagnostics)
      plan.entries.append(
        PlannedScenario(reference: decoded.reference, content: content, contentHash: hash))
    } else {
      plan.unknownLines += unknownLines(of: file, decoded.scenarios)
      let isKept =
        plan.entries.count < Self.keptLimit
        || selection.shuffleSeed != nil && decoded.scenarios.count > Self.casesLimit
      for (number, scenario) in decoded.scenarios.enumerated()
      where isMeant(scenario, by: file) {
        plan.entries.append(
          PlannedScenario(
            reference: scenario.reference, number: number,
            content: isKept ? .scenario(scenario) : nil,
            contentHash: hash.map { rowHash(of: scenario, $0) }))
      }
    }
  }

  /// The hash of a scenario's file, and of its row where it is one of another file's table.
  private func rowHash(of scenario: Scenario, _ fileHash: UInt64) -> UInt64 {
    guard scenario.reference.caseFile != nil else { return fileHash }
    let location = scenario.location
    return fileHash ^ StableHash.of(location.file.bytes[location.range])
  }

  private static func cause(of error: any Error) -> String {
    guard let error = error as? SystemError else { return "\(error)." }
    let remedy =
      switch error.code {
      case EACCES, EPERM: " Allow it to be read, or leave it out."
      case ENOENT: " It was removed meanwhile, or it is a link that leads nowhere."
      default: ""
      }
    return "\(error.reason).\(remedy)"
  }

  private func addUnreadable(_ file: Discovery.File, _ error: any Error, to plan: inout Plan) {
    let diagnostic = Diagnostic(
      "The file can't be read: \(Self.cause(of: error))", path: file.path)
    let name = ((file.path as NSString).lastPathComponent as NSString).deletingPathExtension
    plan.diagnostics.append(diagnostic)
    plan.entries.append(
      PlannedScenario(
        reference: ScenarioReference(path: file.path, scenarioName: name),
        content: .invalid([diagnostic])))
  }

  private func isMeant(_ scenario: Scenario, by file: Discovery.File) -> Bool {
    if file.lines.isEmpty, file.table == nil { return true }
    if let table = file.table, isRow(scenario, of: table) {
      let line = scenario.reference.position.line
      if file.tableLines.isEmpty || file.tableLines.contains(line) { return true }
    }
    return file.lines.contains { covers(scenario, $0) }
  }

  /// What was asked for and is no case.
  private func unknownLines(of file: Discovery.File, _ scenarios: [Scenario]) -> [Plan.UnknownLine]
  {
    let inFile = file.lines.filter { line in !scenarios.contains { covers($0, line) } }
    let lines = scenarios.map(\.reference.position.line)
    let table = scenarios.first?.reference.caseFile
    let unknown = inFile.map {
      Plan.UnknownLine(path: file.path, line: $0, table: table, caseLines: lines)
    }
    guard let table = file.table else { return unknown }
    let rows = file.tableLines.filter { !lines.contains($0) }
    return unknown
      + rows.map { Plan.UnknownLine(path: table, line: $0, table: table, caseLines: lines) }
  }

  private func uses(_ table: String, _ scenarios: [Scenario]) -> Bool {
    scenarios.contains { isRow($0, of: table) }
  }

  private func isRow(_ scenario: Scenario, of table: String) -> Bool {
    guard let caseFile = scenario.reference.caseFile else { return false }
    return files.resolved(caseFile) == files.resolved(table)
  }

  private func covers(_ scenario: Scenario, _ line: Int) -> Bool {
    guard scenario.reference.caseName != nil else { return true }
    return scenario.contains(line: line, inFile: scenario.reference.path)
  }

  private static func identity(of diagnostic: Diagnostic) -> String {
    let range = diagnostic.location.map { "\($0.range)" } ?? ""
    return "\(diagnostic.path)\u{0}\(range)\u{0}\(diagnostic.message)"
  }

  /// A steps file has actions and expects nothing.
  private static func isScenario(_ source: SourceFile) -> Bool {
    JSONParser.parse(source).node?["expected"] != nil
  }
}
