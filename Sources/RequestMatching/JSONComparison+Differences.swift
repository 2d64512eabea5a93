/// One place in which two JSON values differ.
package struct JSONDifference: Sendable, Equatable {
  /// As `$.items[0].id`.
  package var path: String
  /// Compact JSON; `nil`: nothing is wanted there.
  package var wanted: String?
  /// `nil`: nothing was sent there.
  package var got: String?
}

extension JSONComparison {
  /// Where the values differ, from left to right; empty where they match.
  package func differences(_ wanted: JSONBody, _ got: JSONBody) -> [JSONDifference] {
    differences(wanted, got, at: "$")
  }

  private func differences(
    _ wanted: JSONBody, _ got: JSONBody, at path: String
  ) -> [JSONDifference] {
    if matches(wanted, got) { return [] }
    switch (wanted, got) {
    case (.object(let wanted), .object(let got)):
      return differences(wanted, got, at: path)
    case (.array(let wantedElements), .array(let gotElements))
    where !ignoresArrayOrder && wantedElements.count == gotElements.count:
      return zip(wantedElements, gotElements).enumerated().flatMap { index, pair in
        differences(pair.0, pair.1, at: "\(path)[\(index)]")
      }
    default:
      return [JSONDifference(path: path, wanted: wanted.text, got: got.text)]
    }
  }

  private func differences(
    _ wanted: [JSONBodyMember], _ got: [JSONBodyMember], at path: String
  ) -> [JSONDifference] {
    let wrong = wanted.flatMap { member -> [JSONDifference] in
      let place = Self.path(path, member.key)
      guard let value = Self.value(of: member.key, in: got) else {
        return [JSONDifference(path: place, wanted: member.value.text, got: nil)]
      }
      return differences(member.value, value, at: place)
    }
    if ignoresExtraElements { return wrong }
    let extra = got.filter { Self.value(of: $0.key, in: wanted) == nil }
    return wrong
      + extra.map {
        JSONDifference(path: Self.path(path, $0.key), wanted: nil, got: $0.value.text)
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
