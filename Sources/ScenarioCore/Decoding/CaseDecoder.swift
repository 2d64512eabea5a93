import SourceText

/// Reads `cases`: a list of objects, or a CSV file.
struct CaseDecoder {
  let session: DecodingSession
  /// The scenario file's path: a CSV file is named relative to it.
  let path: String

  private var diagnostics: DiagnosticCollector { session.diagnostics }

  /// - Returns: `nil` where the cases can't be read at all, which is reported.
  func cases(_ node: JSONNode) -> [ScenarioCase]? {
    let cases: [ScenarioCase]?
    if let name = node.stringValue {
      cases = rows(ofFile: FilePath.join(FilePath.folder(of: path), name), from: node.location)
    } else {
      cases = inline(node.arrayValue ?? [])
    }
    if let cases, cases.isEmpty, node.arrayValue?.isEmpty ?? true {
      let place = node.stringValue.map { " in \"\($0)\"" } ?? ""
      diagnostics.error(
        "There are no cases\(place), so nothing would run. Write one, or remove \"cases\".",
        at: node.location)
      return nil
    }
    if let cases { reportEqualNames(cases) }
    return cases
  }

  private func inline(_ nodes: [JSONNode]) -> [ScenarioCase] {
    var usageKeys: [String: UsageKey] = [:]
    return nodes.enumerated().compactMap { index, node in
      let place = "\"cases\", entry \(index + 1),"
      guard let members = node.checked(.object("case"), as: place, diagnostics)?.objectValue else {
        return nil
      }
      ObjectReader.reportDoubles(in: members, diagnostics)
      var definitions: [VariableScope.Definition] = []
      for member in members {
        let key = usageKeys[member.key] ?? UsageKey(member.keyLocation)
        usageKeys[member.key] = key
        definitions.append(
          .init(
            name: member.key, nameLocation: member.keyLocation, value: member.value, usageKey: key))
      }
      return scenarioCase(index + 1, definitions, node.location, csvFile: nil)
    }
  }

  private func scenarioCase(
    _ number: Int, _ definitions: [VariableScope.Definition], _ location: SourceLocation,
    csvFile: String?
  ) -> ScenarioCase {
    let valid = definitions.filter(session.checkVariable)
    let name = valid.first { $0.name == "name" && $0.text != "" }
    return ScenarioCase(
      name: name?.text ?? String(number), nameLocation: name?.value.location ?? location,
      location: location, csvFile: csvFile, definitions: valid)
  }

  private func rows(ofFile file: String, from location: SourceLocation) -> [ScenarioCase]? {
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
    return records.dropFirst().enumerated().compactMap { index, record in
      row(index + 1, record, header, file)
    }
  }

  private func row(
    _ number: Int, _ record: CSVRecord, _ header: CSVRecord, _ file: String
  ) -> ScenarioCase? {
    guard record.fields.count == header.fields.count else {
      diagnostics.error(
        "The row has \(record.fields.count) fields, the header \(header.fields.count)."
          + " A field that contains a comma is put in quotes.", at: record.location,
        notes: [.init("The header is here.", at: header.location)])
      return nil
    }
    let definitions = zip(header.fields, record.fields).map { name, field in
      VariableScope.Definition(
        name: name.text, nameLocation: name.location,
        value: JSONNode(.string(field.text), at: field.location),
        usageKey: UsageKey(name.location))
    }
    return scenarioCase(number, definitions, record.location, csvFile: file)
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
          "\"\(field.text)\" is no name of a variable." + hint, at: field.location)
      } else if let first = seen.updateValue(field.location, forKey: field.text) {
        isFine = false
        diagnostics.error(
          "The column \"\(field.text)\" stands twice in the header. Keep one of them.",
          at: field.location, notes: [.init("The first one is here.", at: first)])
      }
    }
    return isFine
  }

  private func reportEqualNames(_ cases: [ScenarioCase]) {
    var seen: [String: SourceLocation] = [:]
    for scenarioCase in cases {
      if let first = seen[scenarioCase.name] {
        diagnostics.error(
          "Two cases are called \"\(scenarioCase.name)\". Give each its own name.",
          at: scenarioCase.nameLocation, notes: [.init("The first one is here.", at: first)])
      } else {
        seen[scenarioCase.name] = scenarioCase.nameLocation
      }
    }
  }
}
