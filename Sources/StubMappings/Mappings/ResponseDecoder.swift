import Foundation
import SourceText

/// Reads the response of a stub.
struct ResponseDecoder {
  let diagnostics: DiagnosticCollector
  let bodyFiles: any BodyFiles

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
    ObjectReader.reportDoubles(in: members, diagnostics)
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
    case "jsonBody": return member.value.compactJSON.map { .bytes(Array($0.utf8)) }
    case "base64Body": return base64(text, member.value)
    default: return file(text, member.value)
    }
  }

  private func base64(_ text: String, _ node: JSONNode) -> StubBody? {
    guard let data = Data(base64Encoded: text) else {
      diagnostics.error("The text of \"base64Body\" is no Base64.", at: node.location)
      return nil
    }
    return .bytes(Array(data))
  }

  private func file(_ name: String, _ node: JSONNode) -> StubBody? {
    guard let problem = bodyFiles.problem(withBodyFile: name) else { return .file(name) }
    diagnostics.error(problem.message, at: node.location, suggestions: problem.suggestions)
    return nil
  }
}
