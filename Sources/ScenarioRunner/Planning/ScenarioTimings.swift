import ScenarioCore

/// How long scenarios took in an earlier run.
package struct ScenarioTimings: Sendable {
  /// A scenario as a report names it.
  package struct Entry: Sendable {
    package var path: String
    package var name: String
    package var milliseconds: Int

    package init(path: String, name: String, milliseconds: Int) {
      self.path = path
      self.name = name
      self.milliseconds = milliseconds
    }
  }

  private struct Key: Hashable {
    var path: String
    var name: String
  }

  private var times: [Key: Int] = [:]
  /// Of everything that was read: shards that know other times are not parts of the same whole.
  package let hash: UInt64

  /// - Parameter entries: of several of one scenario, the longest counts.
  package init(_ entries: [Entry], _ paths: ProjectPaths) {
    var hash = StableHash()
    for entry in entries {
      let path = paths.relative(entry.path)
      for key in Set([entry.name, Self.plainName(entry.name)]).map({ Key(path: path, name: $0) }) {
        times[key] = max(times[key] ?? 0, entry.milliseconds)
      }
      hash.add("\(path)\u{0}\(entry.name)\u{0}\(entry.milliseconds)")
    }
    self.hash = hash.value
  }

  /// The time of each scenario in milliseconds; of one that is not known, the median of the others.
  func milliseconds(of references: [ScenarioReference], _ paths: ProjectPaths) -> [Int] {
    let known = references.map { times[Key(path: paths.relative($0.path), name: $0.name)] }
    let sorted = known.compactMap { $0 }.sorted()
    let median = sorted.isEmpty ? 0 : sorted[(sorted.count - 1) / 2]
    return known.map { $0 ?? median }
  }

  /// Without what a report adds to tell repetitions and equal names apart.
  private static func plainName(_ name: String) -> String {
    without(" #", "", in: without(" (", ")", in: name))
  }

  private static func without(_ start: String, _ end: String, in name: String) -> String {
    guard name.hasSuffix(end) else { return name }
    let front = name.dropLast(end.count)
    let digits = front.reversed().prefix { $0.isASCII && $0.isNumber }.count
    guard digits > 0, front.dropLast(digits).hasSuffix(start) else { return name }
    return String(front.dropLast(digits + start.count))
  }
}
