import JSON

extension JSONComparison {
  /// Where the values differ, as parts of a body, from left to right; empty where they match.
  ///
  /// A regular expression that can't decide in reasonable time counts as one that doesn't match.
  ///
  /// - Parameter path: where the values are.
  package func differences(
    _ wanted: WantedJSON, _ got: JSONValue, at path: String = "$"
  ) -> [Difference] {
    switch (wanted.value, got) {
    case (.object(let object), .object(let got)):
      return differences(object, of: wanted, got, at: path)
    case (.array(let elements), .array(let got)):
      let elements = elements.map(wanted.part)
      return ignoresArrayOrder
        ? differencesInAnyOrder(elements, got, at: path) : differences(elements, got, at: path)
    default:
      if (try? matches(wanted, got)) == true { return [] }
      return [Difference(part: .body(path), wanted: wanted.text, got: got.text(.canonical))]
    }
  }

  private func differences(
    _ wanted: [WantedJSON], _ got: [JSONValue], at path: String
  ) -> [Difference] {
    let end = ignoresExtraElements ? wanted.count : max(wanted.count, got.count)
    return (0..<end).flatMap { index -> [Difference] in
      let place = "\(path)[\(index)]"
      guard index < wanted.count, index < got.count else {
        return [
          Difference(
            part: .body(place), wanted: index < wanted.count ? wanted[index].text : nil,
            got: index < got.count ? got[index].text(.canonical) : nil)
        ]
      }
      return differences(wanted[index], got[index], at: place)
    }
  }

  /// What is left when as many as possible are paired; a single pair that is left is looked into.
  private func differencesInAnyOrder(
    _ wanted: [WantedJSON], _ got: [JSONValue], at path: String
  ) -> [Difference] {
    guard let (missing, extra) = try? pairs(wanted, got) else {
      let texts = (
        wanted.map(\.text).joined(separator: ","),
        got.map { $0.text(.canonical) }.joined(separator: ",")
      )
      return [Difference(part: .body(path), wanted: "[\(texts.0)]", got: "[\(texts.1)]")]
    }
    if missing.count == 1, extra.count == 1 {
      return differences(wanted[missing[0]], got[extra[0]], at: "\(path)[\(extra[0])]")
    }
    return missing.map {
      Difference(part: .body("\(path)[\($0)]"), wanted: wanted[$0].text, got: nil)
    }
      + (ignoresExtraElements ? [] : extra).map {
        Difference(part: .body("\(path)[\($0)]"), wanted: nil, got: got[$0].text(.canonical))
      }
  }

  private func differences(
    _ object: JSONObject, of wanted: WantedJSON, _ got: JSONObject, at path: String
  ) -> [Difference] {
    let repeated = got.hasDuplicateKeys ? got.duplicateKeys : []
    let wrong = object.members.flatMap { member -> [Difference] in
      let values = got.values(of: member.key)
      let place = Self.path(path, member.key)
      guard values.count == 1 else {
        let text = values.isEmpty ? nil : values.map { $0.text(.canonical) }.joined(separator: ", ")
        return [Difference(part: .body(place), wanted: member.value.text(), got: text)]
      }
      return differences(wanted.part(member.value), values[0], at: place)
    }
    let others = JSONObject(
      got.members.filter { object[$0.key] == nil }
    ).sortedMembers
    return wrong
      + others.filter { member in
        !ignoresExtraElements || repeated.contains { $0.hasSameBytes(as: member.key) }
      }.map {
        Difference(
          part: .body(Self.path(path, $0.key)), wanted: nil, got: $0.value.text(.canonical))
      }
  }

  private static func path(_ path: String, _ key: String) -> String {
    let isPlain = key.utf8.allSatisfy {
      (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
        || $0 == UInt8(ascii: "_")
    }
    return isPlain && !key.isEmpty ? "\(path).\(key)" : "\(path)['\(key)']"
  }
}
