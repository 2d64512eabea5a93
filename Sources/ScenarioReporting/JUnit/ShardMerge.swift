import ScenarioCore

/// Joins the reports of all shards of a run into one.
package struct ShardMerge {
  /// Why reports do not belong together; a sentence each.
  package struct Fault: Error {
    package var reasons: [String]
  }

  private struct Part {
    var file: JUnitFile
    var properties: ShardProperties
  }

  private let parts: [Part]

  /// - Throws: where a report is missing, doubled, or of something else.
  package init(_ files: [JUnitFile]) throws(Fault) {
    var parts: [Part] = []
    var reasons: [String] = []
    for file in files {
      switch Self.properties(of: file) {
      case .success(let properties): parts.append(Part(file: file, properties: properties))
      case .failure(let fault): reasons.append(fault.description)
      }
    }
    if let first = parts.first {
      reasons += parts.dropFirst().compactMap { Self.difference(of: $0, from: first) }
    }
    // Which are missing can be told only of those that belong together.
    if reasons.isEmpty { reasons = Self.gaps(in: parts) }
    if reasons.isEmpty { reasons = Self.surplus(of: parts) }
    guard reasons.isEmpty else { throw Fault(reasons: reasons) }
    self.parts = parts.sorted { $0.properties.shard.index < $1.properties.shard.index }
  }

  package var merged: MergedReport { MergedReport(parts.map { ($0.file, $0.properties) }) }

  private static func properties(of file: JUnitFile) -> Result<ShardProperties, JUnitFault> {
    let all = file.suites.map { ShardProperties($0) }
    guard let first = all.first, let properties = first, all.allSatisfy({ $0 == properties }) else {
      return .failure(
        JUnitFault("\(file.path) is not the report of a shard, as scenario-run --shard writes it."))
    }
    let count = file.cases.count
    guard count <= properties.plannedResults else {
      return .failure(
        JUnitFault(
          "\(file.path) has \(count) results, of \(properties.plannedResults) in its shard."))
    }
    return .success(properties)
  }

  private static func difference(of part: Part, from first: Part) -> String? {
    let (one, other) = (first.properties, part.properties)
    let (path, firstPath) = (part.file.path, first.file.path)
    if other.version != one.version {
      return "\(path) was written by version \(other.version) of scenario-run, \(firstPath) by "
        + "\(one.version)."
    }
    if other.shard.total != one.shard.total {
      return "\(path) is one of \(other.shard.total) shards, \(firstPath) one of "
        + "\(one.shard.total)."
    }
    if other.whole.kind != one.whole.kind {
      return "\(path) was sharded by \(other.whole.kind.rawValue), \(firstPath) by "
        + "\(one.whole.kind.rawValue)."
    }
    if other.whole != one.whole {
      return "\(path) is of another run than \(firstPath): of other scenario files, or another "
        + "selection."
    }
    return nil
  }

  private static func gaps(in parts: [Part]) -> [String] {
    guard let total = parts.first?.properties.shard.total else { return [] }
    let byIndex = Dictionary(grouping: parts) { $0.properties.shard.index }
    let doubled = byIndex.filter { $0.value.count > 1 }.sorted { $0.key < $1.key }.map {
      index, same in
      let paths = same.map(\.file.path).joined(separator: " and ")
      return "Shard \(index) of \(total) is there \(same.count) times: \(paths)."
    }
    let missing = (1...total).filter { byIndex[$0] == nil }
    guard !missing.isEmpty else { return doubled }
    let numbers = missing.map(String.init).joined(separator: ", ")
    let isOne = missing.count == 1
    return doubled + [
      "Shard\(isOne ? "" : "s") \(numbers) of \(total) \(isOne ? "is" : "are") missing."
    ]
  }

  /// A report that was edited may be of another shard than it says, or of more or less.
  private static func surplus(of parts: [Part]) -> [String] {
    guard let whole = parts.first?.properties.whole else { return [] }
    let planned = parts.reduce(0) { $0 + $1.properties.plannedResults }
    let count = whole.scenarioCount * whole.repetitions
    guard planned != count else { return [] }
    return [
      "The reports have \(planned) results in their shards, of \(count) in the whole run. Use the "
        + "reports as scenario-run wrote them."
    ]
  }
}

/// A JUnit report that is read again.
package struct JUnitFile: Sendable {
  /// As a message names it.
  package var path: String
  package var suites: [MarkupElement]
  /// Of the whole run, as the root says.
  package var milliseconds: Int

  /// - Throws: what is wrong with the file, in one sentence.
  package init(path: String, bytes: [UInt8]) throws(JUnitFault) {
    self.path = path
    let root: MarkupElement
    do {
      root = try MarkupParser.parse(bytes)
    } catch {
      throw JUnitFault("\(path) isn't a JUnit report: \(error)")
    }
    milliseconds = Self.milliseconds(root["time"])
    switch root.name {
    case "testsuites": suites = root.elements(named: "testsuite")
    case "testsuite": suites = [root]
    default: throw JUnitFault("\(path) isn't a JUnit report: its root is <\(root.name)>.")
    }
  }

  package var cases: [MarkupElement] { suites.flatMap { $0.elements(named: "testcase") } }

  /// 0 where an attribute isn't a time.
  static func milliseconds(_ text: String?) -> Int {
    guard let seconds = text.flatMap({ Double($0) }), (0...1_000_000_000).contains(seconds) else {
      return 0
    }
    return Int((seconds * 1000).rounded())
  }
}

/// Why a report can't be used.
package struct JUnitFault: Error, CustomStringConvertible {
  package var description: String

  init(_ description: String) {
    self.description = description
  }
}
