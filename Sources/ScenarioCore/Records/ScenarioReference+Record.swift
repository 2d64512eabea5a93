import SourceText

extension RecordWriter {
  package mutating func add(_ reference: ScenarioReference) {
    add(reference.path)
    add(reference.caseFile)
    add(reference.position.line)
    add(reference.position.column)
    add(reference.scenarioName)
    add(reference.caseName)
    add(reference.tags)
  }
}

extension RecordReader {
  package mutating func reference() -> ScenarioReference {
    let (path, caseFile) = (string(), optionalString())
    let position = SourcePosition(line: int(), column: int())
    return ScenarioReference(
      path: path, position: position, scenarioName: string(), caseName: optionalString(),
      caseFile: caseFile, tags: strings())
  }
}
