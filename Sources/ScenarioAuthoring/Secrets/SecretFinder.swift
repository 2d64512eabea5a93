import JSON
import RequestMatching

/// Finds what gives access to something: it is never written into a draft.
package struct SecretFinder: Sendable {
  /// Values that are known to be secret.
  private let values: [String]

  /// Besides, a JSON Web Token (RFC 7519: `{"` in Base64), and credentials with their scheme.
  private static let beginnings = SecretNames.keyBeginnings + ["eyJ", "Bearer ", "Basic "]

  /// - Parameter values: what requests carried as credentials, and what the user calls secret.
  package init(values: some Sequence<String> = [String]()) {
    self.values = values.filter { $0.count >= 4 }.sorted()
  }

  package func isSecret(name: String) -> Bool {
    let plain = name.lowercased().filter { !"_-.".contains($0) }
    return SecretNames.endings.contains { plain.hasSuffix($0) }
  }

  package func isSecret(value: String) -> Bool {
    values.contains { value.contains($0) }
      || Self.beginnings.contains { value.hasPrefix($0) && value.count >= $0.count + 12 }
  }

  private func isSecret(_ name: String, _ value: String) -> Bool {
    !value.isEmpty && (isSecret(name: name) || isSecret(value: value))
  }

  /// The names of parameters, headers and body members of an expectation that hold a secret; each once.
  package func names(in expectation: JSONValue) -> [String] {
    var found: [String] = []
    find(in: expectation, "value", &found)
    return found
  }

  private func find(in value: JSONValue, _ name: String, _ found: inout [String]) {
    switch value {
    case .string(let text) where text.contains("#{json-unit."): break
    case .string(let text):
      let items = RequestURL(text).queryItems
      let secret = items.first { isSecret(Self.text($0.name), Self.text($0.value)) }
      let hit = secret.map { Self.text($0.name) } ?? (isSecret(name, text) ? name : nil)
      if let hit, !found.contains(hit) { found.append(hit) }
    case .number: if isSecret(name: name), !found.contains(name) { found.append(name) }
    case .array(let elements): for element in elements { find(in: element, name, &found) }
    case .object(let object):
      let isMatcher = object.keys.contains { ["equalTo", "contains"].contains($0) }
      for member in object.members where member.key != "matches" {
        find(in: member.value, isMatcher ? name : member.key, &found)
      }
    case .null, .bool: break
    }
  }

  private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}

// MARK: - Requests

extension SecretFinder {
  /// The request without what is secret in it.
  ///
  /// - Returns: with the names of query parameters whose values are left out.
  func redacted(_ outline: RequestOutline) -> (RequestOutline, names: Set<String>) {
    var outline = outline
    outline.segments = outline.segments.enumerated().map { redacted($1, at: $0) }
    let names = outline.mark(\.isSecret, true, where: isSecret)
    switch outline.body {
    case .json(let value):
      outline.body = .json(
        value.mapLeaves { name, leaf in
          let isSecret =
            leaf.string.map { self.isSecret(name, $0) }
            ?? (leaf.number != nil && self.isSecret(name: name))
          return isSecret ? JSONPlaceholders.kind(of: leaf) : leaf
        })
    case .text(let text) where isSecret(text: text): outline.body = .omitted(.secretBody)
    case .none, .text, .omitted: break
    }
    return (outline, names)
  }

  private func isSecret(text: String) -> Bool {
    if isSecret(value: text) { return true }
    // A form.
    return QueryItem.items(of: Array(text.utf8)[...]).contains {
      isSecret(Self.text($0.name), Self.text($0.value))
    }
  }

  /// Without a password before the host, and a part of the path that is secret.
  private func redacted(
    _ segment: RequestOutline.Segment, at index: Int
  ) -> RequestOutline.Segment {
    guard case .literal(let text) = segment else { return segment }
    if index == 2, let at = text.lastIndex(of: "@"), let colon = text[..<at].firstIndex(of: ":") {
      return .part(before: String(text[...colon]), after: String(text[at...]))
    }
    return index > 2 && isSecret(value: text) ? .any : segment
  }
}
