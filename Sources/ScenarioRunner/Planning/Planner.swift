import Foundation
import ScenarioCore
import SourceText

/// Decodes scenario files and selects what is run.
package struct Planner {
  /// How many decoded scenarios a plan keeps at first; the others are decoded when their turn comes, so
  /// that memory does not grow with their size.
  package static let keptLimit = 1000
  let loader: ScenarioLoader
  /// How many read files at a time, where many are read at once.
  package var threads = 1
  /// What is doubtful in the configuration.
  let warnings: [Diagnostic]
  private let files: LocalFiles
  private let decoder: ScenarioDecoder

  /// - Parameters:
  ///   - fixturesDirectory: where the fixtures that scenarios name must be.
  ///   - shownFixturesDirectory: the same as messages show it; as it is where absent.
  ///   - configuration: what holds for scenarios that say nothing of their own.
  package init(
    files: LocalFiles, fixturesDirectory: String, shownFixturesDirectory: String? = nil,
    configuration: Configuration = Configuration()
  ) {
    let files = files.unchanged()
    self.files = files
    warnings = configuration.warnings
    var decoder = ScenarioDecoder(
      files: files, fixturesDirectory: fixturesDirectory, configuration: configuration)
    decoder.shownFixturesDirectory = shownFixturesDirectory
    self.decoder = decoder
    loader = ScenarioLoader(files: files, decoder: decoder)
  }

  /// Reads all files.
  package func plan(
    _ discovered: some Sequence<Discovery.File>, selecting selection: Selection
  ) -> Plan {
    GrowingPlan(self, discovered, selecting: selection, lead: .max).current
  }

  /// What one file adds to a plan, before anything is selected.
  ///
  /// - Parameters:
  ///   - isKept: whether its scenarios are kept decoded.
  ///   - isHashed: whether shards are compared by what they say.
  func part(_ file: Discovery.File, isKept: Bool, isHashed: Bool) -> Plan {
    var part = Plan()
    let source: SourceFile
    do {
      source = try files.source(file.path)
    } catch {
      // What lies beside a table that was named need not have to do with it.
      if file.table == nil { addUnreadable(file, error, to: &part) }
      return part
    }
    if let table = file.table, !Self.mentions(FilePath.lastComponent(table), source) { return part }
    if file.isAmongSteps, !Self.isScenario(source) { return part }
    let decoded = decoder.decode(source)
    let isOfTable = uses(file.table, decoded.scenarios)
    if file.table != nil, !decoded.hasErrors, !isOfTable { return part }
    part.diagnostics = decoded.diagnostics
    part.usedFixtures = decoded.usedFixtures
    let hash = isHashed ? StableHash.of(source.bytes) : nil
    if decoded.hasErrors {
      let content = PlannedScenario.Content.invalid(decoded.diagnostics)
      part.entries.append(
        PlannedScenario(reference: decoded.reference, content: content, contentHash: hash))
    } else {
      add(decoded, of: file, isOfTable: isOfTable, isKept: isKept, to: &part, hash)
    }
    return part
  }

  private func add(
    _ decoded: ScenarioDecoder.Output, of file: Discovery.File, isOfTable: Bool, isKept: Bool,
    to plan: inout Plan, _ hash: UInt64?
  ) {
    // Without errors, these are warnings.
    let (scenarios, warnings) = (decoded.scenarios, decoded.diagnostics)
    let places = scenarios.places
    plan.unknownLines += unknownLines(of: file, places)
    let isLong = scenarios.count > ScenarioList.keptLimit
    if isLong { loader.keep(scenarios, of: file.path) }
    let isKept = isKept && !isLong
    plan.entries += places.indices.lazy.filter { isMeant(places[$0], by: file, isOfTable) }
      .map { number in
        PlannedScenario(
          reference: places[number].reference, number: number, siblingCount: places.count,
          content: isKept ? .scenario(scenarios[number]) : nil,
          contentHash: hash.map { rowHash(of: places[number], $0) }, warnings: warnings)
      }
  }

  /// The hash of a scenario's file, and of its row where it is one of another file's table.
  private func rowHash(of place: ScenarioList.Place, _ fileHash: UInt64) -> UInt64 {
    guard place.reference.caseFile != nil else { return fileHash }
    return fileHash ^ StableHash.of(place.location.file.bytes[place.location.range])
  }

  private static func cause(of error: any Error) -> String {
    let remedy =
      switch error {
      case FileFault.unreadable(EACCES), FileFault.unreadable(EPERM):
        " Allow it to be read, or leave it out."
      case FileFault.missing: " It was removed meanwhile, or it is a link that leads nowhere."
      default: ""
      }
    return "\(error).\(remedy)"
  }

  private func addUnreadable(_ file: Discovery.File, _ error: any Error, to plan: inout Plan) {
    let diagnostic = Diagnostic("The file can't be read: \(Self.cause(of: error))", path: file.path)
    let name = ((file.path as NSString).lastPathComponent as NSString).deletingPathExtension
    plan.diagnostics.append(diagnostic)
    plan.entries.append(
      PlannedScenario(
        reference: ScenarioReference(path: file.path, scenarioName: name),
        content: .invalid([diagnostic])))
  }

  private func isMeant(
    _ place: ScenarioList.Place, by file: Discovery.File, _ isOfTable: Bool
  ) -> Bool {
    if file.lines.isEmpty, file.table == nil { return true }
    let line = place.reference.position.line
    if isOfTable, file.tableLines.isEmpty || file.tableLines.contains(line) { return true }
    return file.lines.contains(where: place.isMeant)
  }

  /// What was asked for and isn't a case.
  private func unknownLines(
    of file: Discovery.File, _ places: [ScenarioList.Place]
  ) -> [Plan.UnknownLine] {
    let inFile = file.lines.filter { line in !places.contains { $0.isMeant(byLine: line) } }
    let inTable = file.tableLines.filter { line in
      !places.contains { $0.reference.position.line == line }
    }
    guard !inFile.isEmpty || !inTable.isEmpty else { return [] }
    let lines = places.map(\.reference.position.line)
    let table = places.first?.reference.caseFile
    let lineCount = places.first.flatMap { $0.reference.caseName == nil ? $0.lineCount : nil }
    func unknown(_ line: Int, _ path: String) -> Plan.UnknownLine {
      Plan.UnknownLine(
        path: path, line: line, lineCount: lineCount, table: table, caseLines: lines)
    }
    return inFile.map { unknown($0, file.path) }
      + inTable.map { unknown($0, file.table ?? file.path) }
  }

  /// Whether a table has the cases of a file.
  private func uses(_ table: String?, _ scenarios: ScenarioList) -> Bool {
    guard let table, let caseFile = scenarios.places.first?.reference.caseFile else { return false }
    return files.resolved(caseFile) == files.resolved(table)
  }

  private static func mentions(_ name: String, _ source: SourceFile) -> Bool {
    Data(source.bytes).range(of: Data(name.utf8)) != nil
  }

  /// Whether the file has a key that steps files don't have.
  private static func isScenario(_ source: SourceFile) -> Bool {
    let members = JSONParser.parse(source).node?.objectValue ?? []
    return members.contains { ScenarioShapes.isOfScenario($0.key) }
  }
}
