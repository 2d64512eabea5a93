import RequestMatching
import SourceText

/// Reads stub mappings; what is wrong is reported, and leaves its mapping out.
struct MappingDecoder {
  let diagnostics: DiagnosticCollector
  let bodyFiles: any BodyFiles

  /// - Parameter root: `{"mappings": […]}`, or one mapping.
  func stubs(_ root: JSONNode) -> [Stub] {
    guard root["mappings"] != nil else { return mapping(root).map { [$0] } ?? [] }
    let reader = ObjectReader(root, StubShapes.file, diagnostics)
    return (reader?.list("mappings") ?? []).compactMap(mapping)
  }

  private func mapping(_ node: JSONNode) -> Stub? {
    guard let reader = ObjectReader(node, StubShapes.mapping, diagnostics) else { return nil }
    let pattern = reader.object("request", RequestPatternShape.pattern).flatMap(RequestPattern.init)
    let responses = self.responses(reader)
    let stateKeys = stateKeys(reader)
    guard let pattern, let responses, let stateKeys else { return nil }
    return Stub(
      pattern: pattern, responses: responses,
      priority: reader.integer("priority") ?? Stub.defaultPriority, state: stateKeys.state,
      name: reader.string("name"), location: node.location)
  }

  private func responses(_ reader: ObjectReader) -> [StubResponse]? {
    if let both = reader.member("responses"), let first = reader.member("response") {
      diagnostics.error(
        "\"responses\" can't stand beside \"response\". Keep one of them.",
        at: both.keyLocation, notes: [.init("The other is here.", at: first.keyLocation)])
      return nil
    }
    let decoder = ResponseDecoder(diagnostics: diagnostics, bodyFiles: bodyFiles)
    if let node = reader.value("response") { return decoder.response(node).map { [$0] } }
    guard let nodes = reader.list("responses") else {
      if !reader.has("response"), !reader.has("responses") {
        diagnostics.error(
          "The mapping has no answer. Write \"response\", or \"responses\" for a sequence.",
          at: reader.openingLocation)
      }
      return nil
    }
    if nodes.isEmpty, let member = reader.member("responses") {
      diagnostics.error("\"responses\" is empty: write at least one.", at: member.value.location)
    }
    let responses = nodes.map(decoder.response)
    return responses.isEmpty || responses.contains { $0 == nil }
      ? nil : responses.compactMap { $0 }
  }

  /// What the state keys say: perhaps nothing.
  private struct StateKeys {
    var state: StubState?
  }

  /// - Returns: `nil` where they are wrong.
  private func stateKeys(_ reader: ObjectReader) -> StateKeys? {
    let (required, next) = (
      reader.string("requiredScenarioState"), reader.string("newScenarioState")
    )
    guard let machine = reader.string("scenarioName") else {
      guard !reader.has("scenarioName"),
        let lonely = reader.member("requiredScenarioState") ?? reader.member("newScenarioState")
      else { return StateKeys() }
      diagnostics.error(
        "\"\(lonely.key)\" needs a \"scenarioName\" beside it: it says whose state is meant.",
        at: lonely.keyLocation)
      return nil
    }
    return StateKeys(state: StubState(machine: machine, required: required, next: next))
  }
}

/// What decoding asks about the files that hold bodies; injected, so that decoding stays pure.
package protocol BodyFiles {
  /// What is wrong with the name of a file, and names that may have been meant.
  func problem(withBodyFile name: String) -> (message: String, suggestions: [String])?
}
