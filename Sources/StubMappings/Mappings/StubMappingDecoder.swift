import RequestMatching
import SourceText

/// Turns the text of stub mappings into mappings; what is wrong is reported with its place.
struct StubMappingDecoder {
  let diagnostics: DiagnosticCollector
  /// What is wrong with the name of a body file; `nil` where nothing is.
  let bodyFileProblem: (String) -> String?

  /// Whether an object means to be a mapping or several.
  static func isMeant(by node: JSONNode) -> Bool {
    node["mappings"] != nil || node["request"] != nil
  }

  func mappings(_ node: JSONNode) -> [StubMapping] {
    guard node["mappings"] != nil else { return mapping(node).map { [$0] } ?? [] }
    guard let reader = ObjectReader(node, StubShapes.mappings, diagnostics) else { return [] }
    return reader.list("mappings")?.compactMap(mapping) ?? []
  }

  private func mapping(_ node: JSONNode) -> StubMapping? {
    guard let reader = ObjectReader(node, StubShapes.mapping, diagnostics) else { return nil }
    let responses = responses(reader)
    let state = state(reader)
    guard
      let pattern = reader.object("request", RequestPatternShape.pattern).flatMap(
        RequestPattern.init)
    else { return nil }
    return StubMapping(
      request: pattern, responses: responses,
      priority: reader.integer("priority") ?? StubMapping.defaultPriority, state: state,
      location: node.location)
  }

  private func responses(_ reader: ObjectReader) -> [StubResponse] {
    if reader.has("response"), reader.has("responses") {
      diagnostics.error(
        "A stub mapping has \"response\" or \"responses\". Keep one of them.",
        at: reader.member("responses")?.keyLocation ?? reader.openingLocation)
    }
    if let node = reader.value("response") { return response(node).map { [$0] } ?? [] }
    if let list = reader.list("responses") {
      if list.isEmpty {
        diagnostics.error(
          "\"responses\" is empty. Write one response or more.",
          at: reader.value("responses")?.location ?? reader.openingLocation)
      }
      return list.compactMap(response)
    }
    if !reader.has("response"), !reader.has("responses") {
      diagnostics.error(
        "\"response\" is missing: a stub mapping must have it, or \"responses\".",
        at: reader.openingLocation)
    }
    return []
  }

  private func state(_ reader: ObjectReader) -> StubMapping.State? {
    guard let name = reader.string("scenarioName") else {
      for key in ["requiredScenarioState", "newScenarioState"] {
        guard let member = reader.member(key) else { continue }
        diagnostics.error(
          "\"\(key)\" needs a \"scenarioName\" beside it.", at: member.keyLocation)
      }
      return nil
    }
    return StubMapping.State(
      scenarioName: name, required: reader.string("requiredScenarioState"),
      new: reader.string("newScenarioState"))
  }

  private func response(_ node: JSONNode) -> StubResponse? {
    guard let reader = ObjectReader(node, StubShapes.response, diagnostics) else { return nil }
    checkOneBody(reader)
    let failure = failure(reader)
    return StubResponse(
      status: reader.integer("status") ?? 200, headers: headers(reader), body: body(reader),
      delay: .milliseconds(reader.integer("fixedDelayMilliseconds") ?? 0), failure: failure)
  }

  private func checkOneBody(_ reader: ObjectReader) {
    let given = StubShapes.bodies.compactMap { reader.member($0) }
    for member in given.dropFirst() {
      diagnostics.error(
        "A response has one body, but \"\(given[0].key)\" and \"\(member.key)\" give two. "
          + "Keep one of them.", at: member.keyLocation)
    }
  }

  private func failure(_ reader: ObjectReader) -> StubResponse.Failure? {
    let fault = reader.choice("fault", Fault.self)
    let urlError = reader.choice("urlError", URLErrorName.self)
    if fault != nil, urlError != nil, let member = reader.member("urlError") {
      diagnostics.error(
        "A response has \"fault\" or \"urlError\". Keep one of them.", at: member.keyLocation)
    }
    return fault.map(StubResponse.Failure.fault) ?? urlError.map(StubResponse.Failure.urlError)
  }

  private func headers(_ reader: ObjectReader) -> [(name: String, value: String)] {
    let members = reader.members("headers") ?? []
    ObjectReader.reportDoubles(in: members, diagnostics)
    return members.flatMap { member in
      let values = member.value.arrayValue ?? [member.value]
      return values.compactMap { value in value.stringValue.map { (member.key, $0) } }
    }
  }

  private func body(_ reader: ObjectReader) -> StubResponse.Body {
    if let text = reader.string("body") { return .bytes(Array(text.utf8)) }
    if let node = reader.value("jsonBody") { return .bytes(JSONText.bytes(of: node)) }
    if let node = reader.value("base64Body") { return decoded(node) }
    if let node = reader.value("bodyFileName") { return file(node) }
    return .none
  }

  private func decoded(_ node: JSONNode) -> StubResponse.Body {
    guard let text = node.stringValue else { return .none }
    guard let bytes = Base64.bytes(text) else {
      diagnostics.error("\"base64Body\" is no base64.", at: node.location)
      return .none
    }
    return .bytes(bytes)
  }

  private func file(_ node: JSONNode) -> StubResponse.Body {
    guard let name = node.stringValue else { return .none }
    if let problem = bodyFileProblem(name) { diagnostics.error(problem, at: node.location) }
    return .file(name)
  }
}
