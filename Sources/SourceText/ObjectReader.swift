/// Reads an object by the table of its keys.
///
/// Made for an object, it reports at once every key that is unknown (with a suggestion), misplaced
/// or doubled, every value of the wrong type or out of range, and every required key that is missing.
/// What it then hands out is what passed; `nil` means absent, or wrong and reported.
package struct ObjectReader {
  package let node: JSONNode
  package let shape: ObjectShape
  package let diagnostics: DiagnosticCollector
  /// As written.
  private let members: [JSONMember]
  /// Few enough that looking at each is faster than a table.
  private let accepted: [JSONMember]

  /// - Returns: `nil` where the node isn't an object; that is reported.
  package init?(_ node: JSONNode, _ shape: ObjectShape, _ diagnostics: DiagnosticCollector) {
    guard let members = node.objectValue else {
      if !node.isInvalid {
        diagnostics.error(
          "\(shape.name.capitalizedFirst) is an object, found \(node.foundDescription).",
          at: node.location)
      }
      return nil
    }
    self.node = node
    self.members = members
    self.shape = shape
    self.diagnostics = diagnostics
    accepted = Self.accept(members, shape, diagnostics)
    for name in shape.requiredKeys where !members.contains(key: name) {
      diagnostics.error(
        "\"\(name)\" is missing: \(shape.name) must have it.", at: Self.opening(of: node))
    }
  }

  private static func accept(
    _ members: [JSONMember], _ shape: ObjectShape, _ diagnostics: DiagnosticCollector
  ) -> [JSONMember] {
    let doubles = members.doubles
    // Nearly always.
    if doubles.isEmpty, members.allSatisfy(shape.fits) { return members }
    var accepted: [JSONMember] = []
    accepted.reserveCapacity(members.count)
    // The keys that a misspelt one may have meant: those that are not written.
    var free: [String]?
    for (index, member) in members.enumerated() {
      if let first = doubles[index] {
        reportDuplicate(member, members[first], diagnostics)
      } else if let key = shape.key(member.key) {
        if let value = member.value.checked(key.kind, as: "\"\(key.name)\"", diagnostics) {
          accepted.append(
            JSONMember(key: member.key, keyLocation: member.keyLocation, value: value))
        }
      } else {
        let candidates = free ?? shape.keys.map(\.name).filter { !members.contains(key: $0) }
        free = candidates
        reportUnknown(member, candidates, shape, diagnostics)
      }
    }
    return accepted
  }

  /// The opening bracket: where something about an object as a whole is shown.
  package static func opening(of node: JSONNode) -> SourceLocation {
    let start = node.location.range.lowerBound
    return SourceLocation(file: node.location.file, range: start..<start + 1)
  }

  package var openingLocation: SourceLocation { Self.opening(of: node) }
}

extension ObjectReader {
  package func member(_ key: String) -> JSONMember? { place(of: key).map { accepted[$0] } }
  package func value(_ key: String) -> JSONNode? { place(of: key).map { accepted[$0].value } }

  private func place(of key: String) -> Int? { accepted.indices.first { accepted[$0].key == key } }

  /// Whether the key is written, be its value right or wrong.
  package func has(_ key: String) -> Bool { members.contains(key: key) }

  /// The keys that are there with values that were reported.
  package var rejectedKeys: some Sequence<String> {
    members.lazy.map(\.key).filter { place(of: $0) == nil }
  }

  package func string(_ key: String) -> String? { value(key)?.stringValue }
  package func bool(_ key: String) -> Bool? { value(key)?.boolValue }
  package func integer(_ key: String) -> Int? { value(key)?.integerValue }
  package func double(_ key: String) -> Double? { value(key)?.doubleValue }
  package func seconds(_ key: String) -> Duration? { double(key).map { .seconds($0) } }
  package func list(_ key: String) -> [JSONNode]? { value(key)?.arrayValue }
  package func members(_ key: String) -> [JSONMember]? { value(key)?.objectValue }
  package func strings(_ key: String) -> [String]? { list(key)?.compactMap(\.stringValue) }

  /// The value as one of an enumeration's words.
  package func choice<Choice: RawRepresentable>(_ key: String, _: Choice.Type) -> Choice?
  where Choice.RawValue == String {
    string(key).flatMap(Choice.init(rawValue:))
  }

  /// A reader for the object under a key.
  package func object(_ key: String, _ shape: ObjectShape) -> ObjectReader? {
    value(key).flatMap { ObjectReader($0, shape, diagnostics) }
  }

  /// Reports keys of an object with keys of the author's own that are written twice.
  package static func reportDuplicates(
    in members: [JSONMember], _ diagnostics: DiagnosticCollector
  ) {
    for (index, first) in members.doubles.sorted(by: { $0.key < $1.key }) {
      reportDuplicate(members[index], members[first], diagnostics)
    }
  }
}

extension [JSONMember] {
  /// How many members are compared with each other; more are looked up in a table.
  private static var comparisonLimit: Int { 16 }

  fileprivate func contains(key: String) -> Bool { indices.contains { self[$0].key == key } }

  /// The indices of members whose key an earlier one has, each with that of the first that has it.
  var doubles: [Int: Int] {
    var doubles: [Int: Int] = [:]
    if count <= Self.comparisonLimit {
      for index in indices {
        if let first = (0..<index).first(where: { self[$0].key == self[index].key }) {
          doubles[index] = first
        }
      }
      return doubles
    }
    var seen: [String: Int] = [:]
    for (index, member) in enumerated() {
      if let first = seen[member.key] { doubles[index] = first } else { seen[member.key] = index }
    }
    return doubles
  }
}

extension ObjectReader {
  private static func reportDuplicate(
    _ member: JSONMember, _ first: JSONMember, _ diagnostics: DiagnosticCollector
  ) {
    diagnostics.error(
      "The key \"\(member.key)\" is written twice. Keep one of them.", at: member.keyLocation,
      notes: [.init("The first one is here.", at: first.keyLocation)])
  }

  private static func reportUnknown(
    _ member: JSONMember, _ free: [String], _ shape: ObjectShape,
    _ diagnostics: DiagnosticCollector
  ) {
    if let misplaced = shape.misplacedKeys[member.key] {
      diagnostics.error("\"\(member.key)\" \(misplaced)", at: member.keyLocation)
      return
    }
    let close = Suggestions.closest(to: member.key, among: free)
    diagnostics.error(
      "Unknown key \"\(member.key)\" in \(shape.name).", at: member.keyLocation,
      suggestions: close)
  }
}

extension String {
  /// The text with its first letter as a capital.
  package var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
