import Foundation
import JSON
import RequestMatching
import SourceText

/// Reads stub mappings; what is wrong is reported, and leaves its mapping out.
struct MappingDecoder {
  let diagnostics: DiagnosticCollector
  let bodyFiles: (any BodyFiles)?

  /// - Parameter root: `{"mappings": […]}`, or one mapping.
  func stubs(_ root: JSONNode) -> [Stub] {
    guard root["mappings"] != nil else { return mapping(root).map { [$0] } ?? [] }
    let reader = ObjectReader(root, StubShapes.file, diagnostics)
    return (reader?.list("mappings") ?? []).compactMap(mapping)
  }

  private func mapping(_ node: JSONNode) -> Stub? {
    guard let reader = ObjectReader(node, StubShapes.mapping, diagnostics) else { return nil }
    let pattern = reader.object("request", RequestPatternShape.pattern).flatMap {
      RequestPattern($0)
    }
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
    return nodes.isEmpty ? nil : nodes.allMapped(decoder.response)
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

/// Reads the response of a stub.
private struct ResponseDecoder {
  let diagnostics: DiagnosticCollector
  let bodyFiles: (any BodyFiles)?

  func response(_ node: JSONNode) -> StubResponse? {
    guard let reader = ObjectReader(node, StubShapes.response, diagnostics),
      let outcome = outcome(reader), !hasRejectedKey(reader)
    else { return nil }
    let delay = reader.integer("fixedDelayMilliseconds").map { Duration.milliseconds($0) }
    return StubResponse(outcome, delay: delay ?? .zero)
  }

  private func hasRejectedKey(_ reader: ObjectReader) -> Bool {
    reader.shape.keys.contains { reader.has($0.name) && reader.value($0.name) == nil }
  }

  private func outcome(_ reader: ObjectReader) -> StubResponse.Outcome? {
    let failures = ["fault", "urlError"].compactMap(reader.member)
    guard let failure = failures.first else { return message(reader).map { .message($0) } }
    // WireMock writes a status beside every fault.
    let contradictions =
      failures.dropFirst() + (StubShapes.bodies + ["headers"]).compactMap(reader.member)
    for member in contradictions {
      diagnostics.error(
        "\"\(member.key)\" can't stand beside \"\(failure.key)\": there is no response then.",
        at: member.keyLocation)
    }
    guard contradictions.isEmpty, let name = failure.value.stringValue else { return nil }
    return StubFault(rawValue: name).map { .fault($0) } ?? URLErrorName(name).map { .failure($0) }
  }

  private func message(_ reader: ObjectReader) -> StubMessage? {
    guard let body = body(reader) else { return nil }
    return StubMessage(
      status: reader.integer("status") ?? 200, headers: headers(reader.members("headers") ?? []),
      body: body)
  }

  private func headers(_ members: [JSONMember]) -> [StubHeader] {
    ObjectReader.reportDuplicates(in: members, diagnostics)
    return members.flatMap { member in
      (member.value.arrayValue ?? [member.value]).compactMap(\.stringValue).map {
        StubHeader(member.key, $0)
      }
    }
  }

  private func body(_ reader: ObjectReader) -> StubBody? {
    let written = StubShapes.bodies.compactMap(reader.member)
    guard let first = written.first else { return .bytes([]) }
    for other in written.dropFirst() {
      diagnostics.error(
        "\"\(other.key)\" can't stand beside \"\(first.key)\": a response has one body.",
        at: other.keyLocation, notes: [.init("The other is here.", at: first.keyLocation)])
    }
    return written.count == 1 ? body(first) : nil
  }

  private func body(_ member: JSONMember) -> StubBody? {
    let text = member.value.stringValue ?? ""
    switch member.key {
    case "body": return .bytes(Array(text.utf8))
    case "jsonBody": return .bytes(JSONValue(member.value).bytes())
    case "base64Body": return base64(text, member.value)
    default: return file(text, member.value)
    }
  }

  private func base64(_ text: String, _ node: JSONNode) -> StubBody? {
    guard let data = Data(base64Encoded: text) else {
      diagnostics.error("The text of \"base64Body\" isn't valid Base64.", at: node.location)
      return nil
    }
    return .bytes(Array(data))
  }

  private func file(_ name: String, _ node: JSONNode) -> StubBody? {
    guard let problem = bodyFiles?.problem(withBodyFile: name) else { return .file(name) }
    diagnostics.error(problem.message, at: node.location, suggestions: problem.suggestions)
    return nil
  }
}
