import HarnessProtocol
import JSON
import RequestMatching
import ScenarioCore
import StubMappings

/// What the scenarios that ran have before them and never ask about.
package struct UnaskedParts: Sendable {
  /// Absolute URLs in the data that the app was given, which no scenario expects: by file.
  package private(set) var urls: [(file: String, url: String)] = []
  /// Stubs that never answered, as `file:line:column`.
  package private(set) var stubs: [String] = []
  /// Elements that were seen and that no action names: a path of each identifier.
  package private(set) var elements: [String] = []

  private var patterns: [RequestPattern] = []
  private var fixtures: Set<String> = []
  private var stubFiles: Set<String> = []
  private var usedStubs: Set<String> = []
  /// Whether each app said which stubs it used.
  private var tellsStubs = true
  private var seen: [String: String] = [:]
  private var named: Set<String> = []

  package init() {}

  package mutating func add(_ scenario: Scenario, _ app: AppReport, _ trace: Trace) {
    patterns += Verification.expectations(of: scenario).map(\.expectation)
      .filter { $0.count.least > 0 }.map(\.pattern.address)
    fixtures.formUnion(scenario.fixtures.map(\.file.path))
    stubFiles.formUnion(scenario.stubs.map(\.path))
    usedStubs.formUnion(app.usedStubs ?? [])
    if app.usedStubs == nil, !scenario.stubs.isEmpty { tellsStubs = false }
    for step in scenario.steps { named.formUnion(step.identifiers) }
    for screen in trace.actions.compactMap(\.screen) { see(screen) }
  }

  private mutating func see(_ screen: Screen) {
    for entry in ScreenOutline(screen).entries where entry.isVisible {
      guard let path = entry.path?.description, seen[entry.element.identifier] == nil else {
        continue
      }
      seen[entry.element.identifier] = path
    }
  }

  /// Works out the lists, once all scenarios are added.
  package mutating func finish(_ audited: AuditedStubs) {
    elements = seen.filter { !named.contains($0.key) }.map(\.value).sorted()
    if tellsStubs { stubs = unusedStubs(audited.set(stubFiles.sorted())) }
    let expected = PatternSet(patterns, ignoring: .none)
    for file in fixtures.sorted() {
      guard let value = audited.contents(file).flatMap({ try? JSONValue(parsing: $0) }) else {
        continue
      }
      var known: Set<String> = []
      for url in value.absoluteURLs where known.insert(url).inserted && !expected.names(url) {
        urls.append((file, url))
      }
    }
  }

  private func unusedStubs(_ set: StubSet) -> [String] {
    let mappings = set.stubs.map(\.source).map { "\($0.path):\($0.line):\($0.column)" }
    let captures = set.captures.map { "\($0.path):1:1" }
    return (mappings + captures).filter { !usedStubs.contains($0) }
  }
}

extension RequestPattern {
  /// What it asks of a URL, whatever the method.
  fileprivate var address: RequestPattern {
    RequestPattern(
      method: "ANY", target: target, scheme: scheme, host: host, port: port,
      queryParameters: queryParameters, allowsOtherParameters: allowsOtherParameters)
  }
}

extension PatternSet {
  fileprivate func names(_ url: String) -> Bool {
    var isNamed = false
    Array(url.utf8).withUnsafeBufferPointer { bytes in
      let request = { MatchableRequest(method: nil, url: url) }
      forEachMatch(url: bytes, isGet: true, request: request) { _, doubt in
        isNamed = isNamed || doubt == nil
      }
    }
    return isNamed
  }
}

extension Step {
  /// The identifiers of all elements that its path leads through.
  fileprivate var identifiers: [String] {
    guard case .app(let action) = action else { return [] }
    return ["element", "on", "into"].compactMap { action.params[$0]?.string }.flatMap {
      (try? ElementPath($0))?.segments.map(\.identifier) ?? []
    }
  }
}

extension JSONValue {
  fileprivate var absoluteURLs: [String] {
    switch self {
    case .string(let text):
      text.hasPrefix("https://") || text.hasPrefix("http://") ? [text] : []
    case .array(let elements): elements.flatMap(\.absoluteURLs)
    case .object(let object): object.members.flatMap(\.value.absoluteURLs)
    case .null, .bool, .number: []
    }
  }
}
