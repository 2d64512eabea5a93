import SourceText

/// One row of a scenario's `cases`.
struct ScenarioCase {
  /// The case's name, or its number from 1.
  var name: String
  var nameLocation: SourceLocation
  /// The object, or the record of the CSV file.
  var location: SourceLocation
  var csvFile: String?
  var definitions: [VariableScope.Definition]
}

/// The `cases` of a scenario, a list of objects or a CSV file; each is read when it is asked for, since
/// there may be very many.
struct CaseTable: Sendable {
  private enum Rows: Sendable {
    /// With the columns, by their names.
    case objects([JSONNode], [String: UsageKey])
    case records(Slice<CSVRecords>, header: CSVRecord)
  }

  private let rows: Rows

  fileprivate init(_ objects: [JSONNode]) {
    var columns: [String: UsageKey] = [:]
    for member in objects.lazy.flatMap({ $0.objectValue ?? [] }) where columns[member.key] == nil {
      columns[member.key] = UsageKey(member.keyLocation)
    }
    rows = .objects(objects, columns)
  }

  fileprivate init(_ records: CSVRecords, header: CSVRecord) {
    rows = .records(records.dropFirst(), header: header)
  }

  var count: Int {
    switch rows {
    case .objects(let nodes, _): nodes.count
    case .records(let records, _): records.count
    }
  }

  /// - Parameter index: from 0.
  /// - Returns: `nil` where the row is wrong, which is reported.
  func row(_ index: Int, _ session: DecodingSession) -> ScenarioCase? {
    switch rows {
    case .objects(let nodes, let columns): object(nodes[index], index, columns, session)
    case .records(let records, let header):
      record(records[records.startIndex + index], index, header, session)
    }
  }

  private func object(
    _ node: JSONNode, _ index: Int, _ columns: [String: UsageKey], _ session: DecodingSession
  ) -> ScenarioCase? {
    let place = "\"cases\", entry \(index + 1)"
    let checked = node.checked(.object("case"), as: place, session.diagnostics)
    guard let members = checked?.objectValue else { return nil }
    ObjectReader.reportDuplicates(in: members, session.diagnostics)
    let definitions = members.map { member in
      VariableScope.Definition(
        name: member.key, nameLocation: member.keyLocation, value: member.value,
        usageKey: columns[member.key] ?? UsageKey(member.keyLocation))
    }
    return scenarioCase(index, definitions, node.location, csvFile: nil, session)
  }

  private func record(
    _ record: CSVRecord, _ index: Int, _ header: CSVRecord, _ session: DecodingSession
  ) -> ScenarioCase? {
    if let problem = record.problem(below: header) {
      session.diagnostics.report([problem])
      return nil
    }
    let definitions = zip(header.fields, record.fields).map { name, field in
      VariableScope.Definition(
        name: name.text, nameLocation: name.location,
        value: JSONNode(.string(field.text), at: field.location),
        usageKey: UsageKey(name.location))
    }
    return scenarioCase(
      index, definitions, record.location, csvFile: record.location.path, session)
  }

  private func scenarioCase(
    _ index: Int, _ definitions: [VariableScope.Definition], _ location: SourceLocation,
    csvFile: String?, _ session: DecodingSession
  ) -> ScenarioCase {
    let valid = definitions.filter(session.checkVariable)
    let name = valid.first { $0.name == "name" && $0.text != "" }
    return ScenarioCase(
      name: name?.text ?? String(index + 1), nameLocation: name?.value.location ?? location,
      location: location, csvFile: csvFile, definitions: valid)
  }
}

/// Finds out what a scenario's `cases` are.
struct CaseDecoder {
  let session: DecodingSession
  /// The scenario file's path: a CSV file is named relative to it.
  let path: String

  private var diagnostics: DiagnosticCollector { session.diagnostics }

  /// - Returns: `nil` where there are none, which is reported.
  func table(_ node: JSONNode) -> CaseTable? {
    let table: CaseTable?
    if let name = node.stringValue {
      table = csvTable(FilePath.join(FilePath.folder(of: path), name), from: node.location)
    } else {
      table = CaseTable(node.arrayValue ?? [])
    }
    if let table, table.count == 0 {
      let place = node.stringValue.map { " in \"\($0)\"" } ?? ""
      diagnostics.error(
        "There are no cases\(place), so nothing would run. Write one, or remove \"cases\".",
        at: node.location)
      return nil
    }
    if let table, table.count > FileLimits.cases {
      diagnostics.error(
        "There are \(table.count) cases, more than the limit of \(FileLimits.cases)."
          + " Split them into several files.", at: node.location)
      return nil
    }
    return table
  }

  private func csvTable(_ file: String, from location: SourceLocation) -> CaseTable? {
    guard let bytes = session.read(file, "CSV file", from: location) else { return nil }
    let (records, problems) = CSVParser.parse(SourceFile(path: file, bytes: bytes))
    diagnostics.report(problems)
    guard problems.isEmpty else { return nil }
    guard let header = records.first, check(header) else {
      if records.isEmpty {
        diagnostics.error(
          "The CSV file \"\(file)\" is empty. Its first line names the variables.", at: location)
      }
      return nil
    }
    return CaseTable(records, header: header)
  }

  /// Whether the first record can be one; what is wrong with it is reported.
  private func check(_ header: CSVRecord) -> Bool {
    var seen: [String: SourceLocation] = [:]
    var isFine = true
    for field in header.fields {
      if !Substitution.isName(field.text) {
        isFine = false
        let hint =
          field.text.contains(";") || field.text.contains("\t")
          ? " Columns are separated by commas."
          : " A name has letters, digits, \"_\", \"-\" and \".\"."
        diagnostics.error(
          "\"\(field.text)\" isn't a valid variable name." + hint, at: field.location)
      } else if let first = seen.updateValue(field.location, forKey: field.text) {
        isFine = false
        diagnostics.error(
          "The column \"\(field.text)\" appears twice in the header. Keep one of them.",
          at: field.location, notes: [.init("The first one is here.", at: first)])
      }
    }
    return isFine
  }
}
