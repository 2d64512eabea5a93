import HarnessProtocol
import JSON
import SourceText

extension ActionDecoder {
  /// How large a payload may be: `simctl` takes 4096 bytes, as APNs does.
  private static let payloadLimitBytes = 4096
  /// The key by which `simctl push` finds the app: it isn't part of what the app gets.
  private static let targetKey = "Simulator Target Bundle"

  /// The payload of a `push`: an object, or an `.apns` file; `nil` where it is wrong, and reported.
  func payload(_ node: JSONNode) -> JSONValue? {
    guard let name = node.stringValue else { return payload(of: node, at: node.location) }
    guard name.hasSuffix(".apns") else {
      diagnostics.error(
        "\"push\": expected a payload object or the name of an .apns file, found \"\(name)\".",
        in: node
      )
      return nil
    }
    if let problem = session.problem(withFixture: name) {
      diagnostics.error(problem.message, in: node, suggestions: problem.suggestions)
      return nil
    }
    guard let fixtures = session.fixtures else { return .object([:]) }
    let path = FilePath.join(fixtures.path, name)
    guard let bytes = session.read(path, "file", from: node.location) else { return nil }
    let (content, problems) = JSONParser.parse(SourceFile(path: path, bytes: bytes))
    diagnostics.report(problems)
    return content.flatMap { payload(of: $0, at: node.location) }
  }

  private func payload(of node: JSONNode, at use: SourceLocation) -> JSONValue? {
    guard let members = node.objectValue else {
      diagnostics.error(
        "A push payload is an object, found \(node.foundDescription).", at: node.location)
      return nil
    }
    ObjectReader.reportDuplicates(in: members, diagnostics)
    guard let aps = node["aps"] else {
      diagnostics.error(
        "\"aps\" is missing: a push payload must have it.", at: ObjectReader.opening(of: node))
      return nil
    }
    guard aps.checked(.object("aps"), as: "\"aps\"", diagnostics) != nil else { return nil }
    var value = JSONValue(node).object ?? [:]
    value[Self.targetKey] = nil
    let bytes = JSONValue.object(value).bytes()
    if bytes.count > Self.payloadLimitBytes {
      diagnostics.error(
        "The push payload has \(bytes.count) bytes; APNs takes \(Self.payloadLimitBytes) at most.",
        at: use)
    }
    return .object(value)
  }
}
