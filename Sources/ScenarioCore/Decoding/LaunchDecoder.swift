import Foundation
import HarnessProtocol
import RequestMatching
import SourceText

/// Reads the keys of a scenario that say how the app is launched and how it is judged.
struct LaunchDecoder {
  let session: DecodingSession

  private var diagnostics: DiagnosticCollector { session.diagnostics }

  func decode(_ reader: ObjectReader, into scenario: inout Scenario) {
    scenario.description = reader.string("description")
    scenario.app = reader.program()
    scenario.fixtures = fixtures(reader)
    scenario.stubs = withProjectStubs(stubs(reader))
    scenario.environment = reader.environment()
    scenario.arguments = reader.strings("arguments") ?? []
    reader.checkForNUL(reader.list("arguments") ?? [], in: "arguments")
    scenario.unexpected = reader.choice("unexpected", UnexpectedPolicy.self) ?? .fail
    scenario.undecodable = reader.choice("undecodable", UnexpectedPolicy.self) ?? .warn
    scenario.tracking = reader.tracking() ?? session.configuration.tracking
    scenario.schedule = schedule(reader)
    scenario.startDate = startDate(reader)
    scenario.timeout = reader.seconds("timeout")
    scenario.skipReason = reader.string("skip")
    scenario.knownIssue = reader.string("knownIssue")
  }

  private func schedule(_ reader: ObjectReader) -> Schedule? {
    guard let node = reader.value("schedule"), let text = node.stringValue else { return nil }
    do throws(ScheduleFault) {
      return try Schedule(text)
    } catch {
      diagnostics.error(error.description, in: node)
      return nil
    }
  }

  private func startDate(_ reader: ObjectReader) -> String? {
    guard let node = reader.value("startDate"), let text = node.stringValue else { return nil }
    if StartDate.date(text) == nil {
      diagnostics.error(
        "\"\(text)\" isn't a date. Write one like \(StartDate.defaultText).", in: node)
    }
    return text
  }

  private func fixtures(_ reader: ObjectReader) -> [FixtureEntry] {
    (reader.members("fixtures") ?? []).compactMap { member in
      reader.checkEnvironmentName(member)
      guard let file = file(member.value) else { return nil }
      return FixtureEntry(key: member.key, file: file)
    }
  }

  private func stubs(_ reader: ObjectReader) -> [FileReference] {
    reader.stubNodes().compactMap { entry in
      file(entry).map(session.checkedStubs)
    }
  }

  /// With those of the configuration, so that the scenario's own win: of equal mappings the later does, of
  /// captures the earlier.
  private func withProjectStubs(_ own: [FileReference]) -> [FileReference] {
    let names = Set(own.map { FilePath.normalized($0.path) })
    let others = session.projectStubs.filter { !names.contains(FilePath.normalized($0.path)) }
    return others.filter { !$0.isCapture } + own + others.filter(\.isCapture)
  }

  /// A file under the fixtures folder; what is wrong with its name is reported.
  private func file(_ node: JSONNode) -> FileReference? {
    guard let name = node.stringValue else { return nil }
    if let problem = session.problem(withFixture: name) {
      diagnostics.error(
        problem.message, in: node, suggestions: problem.suggestions)
    }
    return FileReference(path: name, location: node.location)
  }
}

/// What scenarios and the configuration say in the same way; what is wrong is reported.
extension ObjectReader {
  /// The names of query parameters that are ignored.
  func volatileParameters() -> [String] {
    let nodes = list("volatileParameters") ?? []
    for node in nodes {
      guard let name = node.stringValue, name.allSatisfy({ $0 == "*" }) else { continue }
      diagnostics.error(
        "\"\(name)\" sets every query parameter aside, so that URLs that differ only in their"
          + " parameters would be the same. Name those that vary.", in: node)
    }
    return nodes.compactMap(\.stringValue)
  }

  /// The hosts whose requests must all be named; `nil` where the key is absent.
  func tracking() -> [String]? {
    guard let nodes = list("tracking") else { return nil }
    for node in nodes {
      guard let text = node.stringValue, !TextForms.isHost(text) else { continue }
      guard HostLiteral.isASCII(text) else {
        diagnostics.error(
          HostLiteral.fault(text), in: node, suggestions: HostLiteral.sent(text).map { [$0] } ?? [])
        continue
      }
      let host = RequestURL(text).host.map { String(decoding: $0, as: UTF8.self) } ?? ""
      diagnostics.error(
        "\"\(text)\" isn't a host. Write the name alone, without scheme, port and path, as"
          + " \"ad.example.com\" or \"*.example.com\".", in: node,
        suggestions: TextForms.isHost(host) ? [host] : [])
    }
    return nodes.compactMap(\.stringValue)
  }

  /// The value of `app`: a program and its arguments.
  func program() -> [String]? {
    guard let node = value("app") else { return nil }
    let nodes = node.arrayValue ?? [node]
    let program = nodes.compactMap(\.stringValue)
    checkForNUL(nodes, in: "app")
    if program.isEmpty {
      diagnostics.error(
        "\"app\" names no program. Write one as its first entry.", at: node.location)
    }
    return program
  }

  /// The entries of `stubs`.
  func stubNodes() -> [JSONNode] {
    guard let node = value("stubs") else { return [] }
    return (node.arrayValue ?? [node]).filter { entry in
      guard let name = entry.stringValue, name.contains(":") else { return true }
      diagnostics.error(
        "The stub file \"\(name)\" has a \":\" in its name, which separates stub files."
          + " Rename it.", in: entry)
      return false
    }
  }

  func environment() -> [String: String] {
    let members = self.members("environment") ?? []
    for member in members {
      checkEnvironmentName(member)
      if let other = self.members("fixtures")?.first(where: { $0.key == member.key }) {
        diagnostics.error(
          "\"\(member.key)\" is set by \"environment\" and by \"fixtures\". Keep one of them.",
          at: member.keyLocation, notes: [.init("The other is here.", at: other.keyLocation)])
      }
    }
    checkForNUL(members.map(\.value), in: "environment")
    let pairs = members.map { ($0.key, $0.value.stringValue ?? "") }
    return Dictionary(pairs) { first, _ in first }
  }

  /// The system takes what a program is given up to the first NUL.
  fileprivate func checkForNUL(_ nodes: [JSONNode], in key: String) {
    for node in nodes where node.stringValue?.utf8.contains(0) == true {
      diagnostics.error(
        "\"\(key)\" has a NUL character, which can't be handed to a program. Remove it.", in: node)
    }
  }

  fileprivate func checkEnvironmentName(_ member: JSONMember) {
    if Self.reserved.contains(member.key) {
      diagnostics.error(
        "\"\(member.key)\" is set by scenario-run itself. Choose another name.",
        at: member.keyLocation)
    } else if member.key.isEmpty || member.key.contains("=") || member.key.contains("\0") {
      diagnostics.error(
        "\"\(member.key)\" isn't a valid name of an environment variable.", at: member.keyLocation)
    }
  }

  private static let reserved: Set = [
    LaunchEnvironment.sharedDirectory, LaunchEnvironment.fixturesDirectory,
    LaunchEnvironment.stubs, LaunchEnvironment.scenarioRun, LaunchEnvironment.startDate,
    LaunchEnvironment.clock, LaunchEnvironment.network, LaunchEnvironment.seed,
    LaunchEnvironment.deterministicHashing,
  ]
}
