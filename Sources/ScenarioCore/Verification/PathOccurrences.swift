import JSON
import RequestMatching
import SourceText

/// What the paths of all `where` that speak of one event have met.
struct PathOccurrences: Sendable {
  private var eventCount = 0
  /// Paths of names that have found nothing so far: by the names that lead to an object, those that it
  /// hasn't had.
  private var missingNames: [[[UInt8]]: Set<[UInt8]>] = [:]
  /// Other paths that have found nothing so far, by their text.
  private var missingPaths: [[UInt8]: JSONPath] = [:]
  /// Of events in which a path found nothing.
  private var otherPaths: Set<String> = []
  /// What tells events of other paths apart; those of one structure have the same.
  private var structures: Set<Int> = []
  private static let pathLimit = 1_000

  /// - Parameter patterns: all that speak of the event.
  init(_ patterns: [EventPattern]) {
    for path in patterns.flatMap({ $0.conditions.map(\.path) }) {
      if let (parent, name) = Self.names(of: path) {
        missingNames[parent, default: []].insert(name)
      } else {
        missingPaths[Array(path.text.utf8)] = path
      }
    }
  }

  private static func names(of path: JSONPath) -> (parent: [[UInt8]], name: [UInt8])? {
    guard let names = path.names?.map({ Array($0.utf8) }), let last = names.last else { return nil }
    return (names.dropLast(), last)
  }

  mutating func note(_ event: AnalyticsEvent) {
    eventCount += 1
    if missingNames.isEmpty, missingPaths.isEmpty { return }
    for (parent, names) in missingNames {
      let left = names.subtracting(Self.names(in: event.value, at: parent[...]))
      if left.count < names.count { missingNames[parent] = left.isEmpty ? nil : left }
    }
    for (text, path) in missingPaths {
      // What takes too long to find isn't missing: whoever needs it is told.
      if (try? path.values(in: event.value))?.isEmpty != true { missingPaths[text] = nil }
    }
    if missingNames.isEmpty, missingPaths.isEmpty { return }
    guard otherPaths.count < Self.pathLimit, structures.insert(event.value.structure).inserted
    else { return }
    otherPaths.formUnion(event.value.leafPaths)
  }

  private static func names(in value: JSONValue, at path: ArraySlice<[UInt8]>) -> [[UInt8]] {
    guard let object = value.object else { return [] }
    guard let first = path.first else { return object.members.map { Array($0.key.utf8) } }
    return object.values(of: String(decoding: first, as: UTF8.self)).flatMap {
      names(in: $0, at: path.dropFirst())
    }
  }

  private func isMissing(_ path: JSONPath) -> Bool {
    guard let (parent, name) = Self.names(of: path) else {
      return missingPaths[Array(path.text.utf8)] != nil
    }
    return missingNames[parent]?.contains(name) == true
  }

  /// Paths to members of the same or nearly the same name: a long way there says nothing.
  private func nearest(to key: String) -> [String] {
    func name(_ path: String) -> String {
      path.split(whereSeparator: { ".[]'".contains($0) }).last.map(String.init) ?? path
    }
    let wanted = name(key)
    return otherPaths.filter { path in
      let other = name(path)
      return other == wanted || !Suggestions.closest(to: wanted, among: [other]).isEmpty
    }.sorted {
      (Suggestions.distance($0, key), $0) < (Suggestions.distance($1, key), $1)
    }.prefix(3).map(\.self)
  }

  /// - Returns: none where there was no such event; a path that may find nothing isn't one.
  func blindPaths(of pattern: EventPattern) -> [BlindPath] {
    guard eventCount > 0 else { return [] }
    return pattern.conditions.compactMap { condition in
      guard isMissing(condition.path), !condition.matcher.isNegative else { return nil }
      return BlindPath(
        key: condition.key, eventCount: eventCount, nearest: nearest(to: condition.key))
    }
  }
}

extension JSONValue {
  /// Equal for values that have the same members and lists, whatever is in them.
  fileprivate var structure: Int {
    var hasher = Hasher()
    combineStructure(into: &hasher)
    return hasher.finalize()
  }

  private func combineStructure(into hasher: inout Hasher) {
    switch self {
    case .array(let elements):
      hasher.combine(-elements.count - 1)
      for element in elements { element.combineStructure(into: &hasher) }
    case .object(let object):
      hasher.combine(object.count + 1)
      for member in object.members {
        hasher.combine(Array(member.key.utf8))
        member.value.combineStructure(into: &hasher)
      }
    default: hasher.combine(0)
    }
  }
}
