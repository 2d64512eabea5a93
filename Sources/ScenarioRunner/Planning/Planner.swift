import Foundation
import JSON
import ScenarioCore
import SourceText

/// Decodes scenario files and selects what is run.
package struct Planner {
  /// How many decoded scenarios a plan keeps; the others are decoded again when their turn comes, so
  /// that memory does not grow with their size.
  static let keptLimit = 512
  private let files: UnchangedFiles
  private let decoder: ScenarioDecoder

  /// - Parameters:
  ///   - fixturesDirectory: where the fixtures that scenarios name must be.
  ///   - shownFixturesDirectory: the same as messages show it; as it is where absent.
  ///   - configuration: what holds for scenarios that say nothing of their own.
  package init(
    files: LocalFiles, fixturesDirectory: String, shownFixturesDirectory: String? = nil,
    configuration: Configuration = Configuration()
  ) {
    let files = UnchangedFiles(files)
    self.files = files
    var decoder = ScenarioDecoder(
      files: files, fixturesDirectory: fixturesDirectory, configuration: configuration)
    decoder.shownFixturesDirectory = shownFixturesDirectory
    self.decoder = decoder
  }

  package func plan(
    _ discovered: some Sequence<Discovery.File>, selecting selection: Selection
  ) -> Plan {
    let loader = ScenarioLoader(files: files, decoder: decoder)
    var plan = Plan(loader: loader)
    for file in discovered { add(file, to: &plan, loader, selecting: selection) }
    // A fault of a stub file is one of each scenario that names it, but is told once.
    var told: Set<ByteText> = []
    plan.diagnostics.removeAll { !told.insert(Self.identity(of: $0)).inserted }
    plan.scenarioCount = plan.entries.count
    selection.apply(to: &plan)
    return plan
  }

  private func add(
    _ file: Discovery.File, to plan: inout Plan, _ loader: ScenarioLoader,
    selecting selection: Selection
  ) {
    let source: SourceFile
    do {
      source = try files.source(file.path)
    } catch {
      // What lies beside a table that was named need not have to do with it.
      if file.table == nil { addUnreadable(file, error, to: &plan) }
      return
    }
    if let table = file.table, !Self.mentions(FilePath.lastComponent(table), source) { return }
    if file.isAmongSteps, !Self.isScenario(source) { return }
    let decoded = decoder.decode(source)
    let isOfTable = uses(file.table, decoded.scenarios)
    if file.table != nil, !decoded.hasErrors, !isOfTable { return }
    plan.diagnostics += decoded.diagnostics
    plan.usedFixtures.formUnion(decoded.usedFixtures)
    let hash = selection.sharding.map { _ in StableHash.of(source.bytes) }
    if decoded.hasErrors {
      let content = PlannedScenario.Content.invalid(decoded.diagnostics)
      plan.entries.append(
        PlannedScenario(reference: decoded.reference, content: content, contentHash: hash))
    } else {
      add(decoded, of: file, isOfTable: isOfTable, to: &plan, loader, hash)
    }
  }

  private func add(
    _ decoded: ScenarioDecoder.Output, of file: Discovery.File, isOfTable: Bool,
    to plan: inout Plan, _ loader: ScenarioLoader, _ hash: UInt64?
  ) {
    // Without errors, these are warnings.
    let (scenarios, warnings) = (decoded.scenarios, decoded.diagnostics)
    let places = scenarios.places
    plan.unknownLines += unknownLines(of: file, places)
    let isLong = scenarios.count > ScenarioList.keptLimit
    if isLong { loader.keep(scenarios, of: file.path) }
    let isKept = !isLong && plan.entries.count < Self.keptLimit
    plan.entries += places.indices.lazy.filter { isMeant(places[$0], by: file, isOfTable) }
      .map { number in
        var entry = PlannedScenario(
          reference: places[number].reference, number: number,
          content: isKept ? .scenario(scenarios[number]) : nil,
          contentHash: hash.map { rowHash(of: places[number], $0) }, warnings: warnings)
        entry.siblingCount = places.count
        return entry
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
    let diagnostic = Diagnostic(
      "The file can't be read: \(Self.cause(of: error))", path: file.path)
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
    func unknown(_ line: Int, _ path: String) -> Plan.UnknownLine {
      Plan.UnknownLine(path: path, line: line, table: table, caseLines: lines)
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

  private static func identity(of diagnostic: Diagnostic) -> ByteText {
    let range = diagnostic.location.map { "\($0.range)" } ?? ""
    return ByteText("\(diagnostic.path)\u{0}\(range)\u{0}\(diagnostic.message)")
  }

  /// Whether the file has a key that steps files don't have.
  private static func isScenario(_ source: SourceFile) -> Bool {
    let members = JSONParser.parse(source).node?.objectValue ?? []
    return members.contains { ScenarioShapes.isOfScenario($0.key) }
  }
}
