import Foundation
import JSON

/// What no tracker should get, whatever is expected of it.
package enum LintRule: String, Sendable, CaseIterable {
  /// Swift's description of an optional: `Optional("A-1")`.
  case optional
  case `nil`
  /// `(null)`, as Objective-C describes an absent object.
  case null
  case undefined
  case nan
  /// `${X}`, `[X]`, `%%X%%` or `{{X}}`, which somebody should have replaced.
  case macro
  /// Percent-encoded once more than anybody decodes.
  case doubleEncoding
  case empty
  /// Sent in the clear.
  case http

  /// What is wrong with a value, after the value.
  package var words: String {
    switch self {
    case .optional: "Swift's description of an optional: unwrap it"
    case .nil, .null, .undefined: "the description of a value that isn't there: leave it out"
    case .nan: "not a number"
    case .macro: "a macro that nobody replaced"
    case .doubleEncoding: "percent-encoded twice"
    case .empty: "empty: leave it out, or give it a value"
    case .http: "not encrypted: use https"
    }
  }
}

/// What a finding of a lint rule does.
package enum LintLevel: String, Sendable, CaseIterable {
  case fail, warn, off
}

/// The levels of all rules; `warn` where nobody says.
package struct LintPolicy: Sendable, Equatable {
  private var levels: [LintRule: LintLevel]

  package init(_ level: LintLevel = .warn) {
    levels = Dictionary(uniqueKeysWithValues: LintRule.allCases.map { ($0, level) })
  }

  package subscript(rule: LintRule) -> LintLevel {
    get { levels[rule] ?? .warn }
    set { levels[rule] = newValue }
  }

  package var isOff: Bool { levels.values.allSatisfy { $0 == .off } }
}

/// One thing that a lint rule finds.
package struct LintHit: Sendable, Equatable {
  package var rule: LintRule
  package var part: Difference.Part
  /// As it was sent, decoded.
  package var value: String
}

/// Looks through what was sent; needs no expectation.
///
/// Rules about words hold for whole values: a title with "nil" in it is nobody's mistake. Values that a
/// scenario itself typed or opened are left alone. Names are looked at, too, for what somebody should have put
/// there.
package struct Lint: Sendable {
  /// What a user typed, and the parameters of links that were opened.
  private let typed: Set<String>

  package init(typed: Set<String> = []) { self.typed = typed }

  // MARK: - URLs

  package func hits(in url: RequestURL) -> [LintHit] {
    var hits: [LintHit] = []
    if isSentInTheClear(url) {
      hits.append(LintHit(rule: .http, part: .scheme, value: "http"))
    }
    if let host = url.host.map(Self.text) {
      hits += rules(for: host).map { LintHit(rule: $0, part: .host, value: host) }
    }
    for segment in url.path.split(separator: UInt8(ascii: "/")) {
      hits += self.hits(inEncoded: segment, .path)
    }
    for field in (url.query ?? []).split(separator: UInt8(ascii: "&")) {
      let equals = field.firstIndex(of: UInt8(ascii: "="))
      let name = field[..<(equals ?? field.endIndex)]
      let part = Difference.Part.queryParameter(Self.text(of: name))
      if name.contains(where: Self.isMark) {
        hits += self.hits(inEncoded: name, part).filter { Self.isOfNames($0.rule) }
      }
      // A bare name says something by being there; nothing after "=" says nothing.
      guard let value = equals.map({ field[$0...].dropFirst() }) else { continue }
      hits +=
        value.isEmpty
        ? [LintHit(rule: .empty, part: part, value: "")] : self.hits(inEncoded: value, part)
    }
    return hits
  }

  /// Whether a rule holds for names as well: "undefined" and "nil" can be names of counters.
  private static func isOfNames(_ rule: LintRule) -> Bool {
    switch rule {
    case .optional, .null, .macro, .doubleEncoding: true
    case .nil, .undefined, .nan, .empty, .http: false
    }
  }

  private func hits(inEncoded bytes: ArraySlice<UInt8>, _ part: Difference.Part) -> [LintHit] {
    let text = Self.text(of: bytes)
    var hits = rules(for: text).map { LintHit(rule: $0, part: part, value: text) }
    // The beginning of a name can look like an escape, as in %%CACHEBUSTER%%.
    let raw = String(decoding: bytes, as: UTF8.self)
    if !hits.contains(where: { $0.rule == .macro }), raw.contains("%%"), Self.hasMacro(raw) {
      hits.append(LintHit(rule: .macro, part: part, value: raw))
    }
    return hits
  }

  private static func text(of bytes: ArraySlice<UInt8>) -> String {
    String(decoding: QueryItem.decoded(bytes), as: UTF8.self)
  }

  /// Whether a URL needs a look at all: most don't, and are many.
  package static func isSuspicious(_ url: UnsafeBufferPointer<UInt8>) -> Bool {
    // Schemes and hosts have no case.
    if url.count > 4, url[4] == UInt8(ascii: ":") { return true }
    var isAtStart = false
    for byte in url {
      if isMark(byte) { return true }
      switch byte {
      case UInt8(ascii: "n"), UInt8(ascii: "N"), UInt8(ascii: "u"), UInt8(ascii: "-"),
        UInt8(ascii: "&"), UInt8(ascii: "#"):
        if isAtStart { return true }
        isAtStart = false
      case UInt8(ascii: "="), UInt8(ascii: "/"): isAtStart = true
      default: isAtStart = false
      }
    }
    return url.last == UInt8(ascii: "=")
  }

  /// This machine itself hears no less without encryption.
  private func isSentInTheClear(_ url: RequestURL) -> Bool {
    guard url.scheme.map({ String(decoding: $0, as: UTF8.self).lowercased() }) == "http" else {
      return false
    }
    let host = String(decoding: url.host ?? [], as: UTF8.self).lowercased()
    return !(host == "localhost" || host == "[::1]" || host.hasPrefix("127."))
  }

  // MARK: - Events

  /// - Parameter event: without what makes no difference: what an SDK adds by itself isn't the app's.
  package func hits(inEvent event: JSONValue) -> [LintHit] {
    guard Self.isSuspicious(event) else { return [] }
    var hits: [LintHit] = []
    event.forEachValue { place, _ in
      guard case .inMember(_, let name) = place else { return }
      for rule in rules(for: name) where Self.isOfNames(rule) {
        hits.append(LintHit(rule: rule, part: .eventMember(place.text), value: name))
      }
    }
    event.forEachValue { place, value in
      guard case .string(let text) = value else { return }
      for rule in rules(for: text) + (text.isEmpty ? [.empty] : []) {
        hits.append(LintHit(rule: rule, part: .eventMember(place.text), value: text))
      }
    }
    return hits
  }

  /// Whether an event needs a look at all: most don't, and are many.
  private static func isSuspicious(_ value: JSONValue) -> Bool {
    switch value {
    case .string(let text):
      text.isEmpty || hasMark(text) || "nNu-".utf8.contains(text.utf8[text.utf8.startIndex])
    case .array(let elements): elements.contains(where: isSuspicious)
    case .object(let object):
      object.members.contains { hasMark($0.key) || isSuspicious($0.value) }
    case .null, .bool, .number: false
    }
  }

  private static func hasMark(_ text: String) -> Bool { text.utf8.contains(where: isMark) }

  /// Whether it is one of the characters without which only whole words are wrong.
  private static func isMark(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "%"), UInt8(ascii: "$"), UInt8(ascii: "["), UInt8(ascii: "{"),
      UInt8(ascii: "("):
      true
    default: false
    }
  }

  // MARK: - Values

  private func rules(for value: String) -> [LintRule] {
    guard !value.isEmpty, !typed.contains(value) else { return [] }
    switch value {
    case "nil": return [.nil]
    case "(null)": return [.null]
    case "undefined": return [.undefined]
    case "NaN", "nan", "-nan": return [.nan]
    default: break
    }
    var rules: [LintRule] = []
    guard Self.hasMark(value) else { return rules }
    if Self.hasOptional(value) { rules.append(.optional) }
    if Self.hasMacro(value) { rules.append(.macro) }
    if Self.isEncodedAgain(value) { rules.append(.doubleEncoding) }
    return rules
  }

  /// Whether there is an `Optional(…)`, wherever it is: nobody writes that into a title.
  private static func hasOptional(_ value: String) -> Bool {
    guard value.utf8.contains(UInt8(ascii: "(")),
      let start = value.firstRange(of: "Optional(")?.upperBound
    else { return false }
    return value[start...].contains(where: { $0 == ")" || $0 == "\"" })
  }

  /// `[X]` and `[[x]]` only as a value or a name, or between the delimiters of a URL: "[NEW] shoes" is a title,
  /// and `ids[A]` an element. One letter between the delimiters of a list is a size.
  private static func hasMacro(_ value: String) -> Bool {
    guard value.utf8.contains(where: { "$[{%".utf8.contains($0) }) else { return false }
    return value.contains(/\$\{[A-Za-z_][A-Za-z0-9_.:\-]*\}/)
      || value.contains(/\{\{\s*[A-Za-z_][A-Za-z0-9_.\-]*\s*\}\}/)
      || value.contains(/%%[A-Z][A-Z0-9_]*%%/)
      || value.contains(
        /(^|[=&\/?#;,|:])(\[[A-Z][A-Z_]+\]|\[\[[A-Za-z_][A-Za-z0-9_]*\]\])($|[&\/?#;,|:=])/)
      || value.wholeMatch(of: /\[[A-Z]\]/) != nil
  }

  /// Whether text is left over that should have been decoded. A URL, a path and a query inside a value have
  /// escapes of their own.
  private static func isEncodedAgain(_ value: String) -> Bool {
    guard value.utf8.contains(UInt8(ascii: "%")), !value.contains("://"), !value.hasPrefix("/"),
      !value.contains(where: { "=&?".contains($0) }), value.contains(/%[0-9A-Fa-f]{2}/)
    else { return false }
    return value.removingPercentEncoding.map { $0 != value } ?? false
  }
}
