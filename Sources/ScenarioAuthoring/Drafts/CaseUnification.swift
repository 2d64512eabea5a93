import JSON

/// Finds what the drafts of several cases have in common, with `${name}` where the values of a variable
/// stand.
struct CaseUnification {
  /// For each case: the values of its variables by name.
  private let values: [[String: String]]
  /// Variables that each case has, those with the longest values first.
  private let names: [String]

  init(_ values: [[String: String]]) {
    self.values = values
    let common = values.dropFirst().reduce(Set(values.first?.keys.map(\.self) ?? [])) {
      names, own in
      names.intersection(own.keys)
    }
    names = common.subtracting(["knownIssue"]).sorted { left, right in
      let length = { (name: String) in values.map { $0[name]?.utf8.count ?? 0 }.reduce(0, +) }
      return (-length(left), left) < (-length(right), right)
    }
  }

  /// - Parameter drafts: of each case, in the order of the cases.
  /// - Returns: what holds for all, in the order of the first; and of each case the rest.
  func common(
    _ drafts: [[ExpectationDraft]]
  ) -> (common: [JSONValue], rest: [[ExpectationDraft]]) {
    guard let first = drafts.first, drafts.count > 1 else {
      return ((drafts.first ?? []).map(\.json), drafts.map { _ in [] })
    }
    var others = Array(drafts.dropFirst())
    var common: [JSONValue] = []
    var rest: [[ExpectationDraft]] = [[]]
    for draft in first {
      let places = others.enumerated().map { index, candidates in
        place(of: draft, in: candidates, case: index + 1)
      }
      let tuple =
        [draft]
        + zip(others, places).compactMap { candidates, place in place.map { candidates[$0] } }
      guard tuple.count == drafts.count,
        let value = unified(tuple.map(\.json), Array(0..<tuple.count))
      else {
        rest[0].append(draft)
        continue
      }
      common.append(value)
      for (index, place) in places.enumerated() { place.map { _ = others[index].remove(at: $0) } }
    }
    return (common, rest + others)
  }

  private func place(
    of draft: ExpectationDraft, in candidates: [ExpectationDraft], case index: Int
  ) -> Int? {
    candidates.firstIndex(of: draft)
      ?? candidates.firstIndex { unified([draft.json, $0.json], [0, index]) != nil }
  }

  // MARK: - Values

  /// - Parameter cases: which case each value is of.
  private func unified(_ values: [JSONValue], _ cases: [Int]) -> JSONValue? {
    guard let first = values.first else { return nil }
    if values.allSatisfy({ $0 == first }) { return first }
    switch first {
    case .string:
      let texts = values.compactMap(\.string)
      return texts.count == values.count ? unified(texts, cases).map(JSONValue.string) : nil
    case .number:
      let texts = values.map { $0.text() }
      return names.first { name in zip(texts, cases).allSatisfy { $0 == self.values[$1][name] } }
        .map { "${\($0)}" }
    case .array(let elements):
      let lists = values.compactMap(\.array)
      guard lists.count == values.count, lists.allSatisfy({ $0.count == elements.count }) else {
        return nil
      }
      let unified = elements.indices.compactMap { index in
        self.unified(lists.map { $0[index] }, cases)
      }
      return unified.count == elements.count ? .array(unified) : nil
    case .object(let object):
      let objects = values.compactMap(\.object)
      guard objects.count == values.count, objects.allSatisfy({ $0.keys == object.keys }) else {
        return nil
      }
      let members = object.members.indices.compactMap { index in
        self.unified(objects.map { $0.members[index].value }, cases).map {
          JSONObject.Member(object.members[index].key, $0)
        }
      }
      return members.count == object.count ? .object(JSONObject(members)) : nil
    case .null, .bool: return nil
    }
  }

  // MARK: - Texts

  private func unified(_ texts: [String], _ cases: [Int]) -> String? {
    let variables = names.map { name in
      (name: name, values: cases.map { Array((values[$0][name] ?? "").utf8) })
    }
    // One that is the same everywhere explains no difference.
    var search = TextSearch(
      texts: texts.map { Array($0.utf8) }, variables: variables.filter { Set($0.values).count > 1 })
    return search.rest(from: texts.map { _ in 0 }).map { String(decoding: $0, as: UTF8.self) }
  }
}

/// Reads several texts at once: what is the same in all is literal, what a variable supplies is that.
private struct TextSearch {
  let texts: [[UInt8]]
  let variables: [(name: String, values: [[UInt8]])]
  /// From where nothing leads to the end.
  var deadEnds: Set<[Int]> = []

  mutating func rest(from start: [Int]) -> [UInt8]? {
    var places = start
    var literal: [UInt8] = []
    while !deadEnds.contains(places) {
      if zip(texts, places).allSatisfy({ $0.count == $1 }) { return literal }
      for (name, values) in variables where begins(values, at: places) {
        let next = zip(places, values).map { $0 + $1.count }
        if let rest = rest(from: next) { return literal + Array("${\(name)}".utf8) + rest }
      }
      let bytes = zip(texts, places).map { $1 < $0.count ? $0[$1] : nil }
      guard let byte = bytes[0], bytes.allSatisfy({ $0 == byte }) else { break }
      literal.append(byte)
      places = places.map { $0 + 1 }
    }
    deadEnds.insert(start)
    return nil
  }

  private func begins(_ values: [[UInt8]], at places: [Int]) -> Bool {
    zip(texts, zip(places, values)).allSatisfy { text, place in
      text[place.0...].starts(with: place.1)
    }
  }
}
