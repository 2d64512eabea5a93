import Foundation
import SourceText

extension RequestPattern {
  /// Reads the keys of a request pattern.
  ///
  /// - Parameters:
  ///   - reader: made with a shape that has `RequestPatternShape.keys` and `misplacedKeys`.
  ///   - allowsRelations: whether its matchers may refer to other expectations.
  /// - Returns: `nil` where a part is wrong, which is reported then: a pattern without it would match
  ///   more than its author wants.
  package init?(_ reader: ObjectReader, allowsRelations: Bool = false) {
    self.init()
    let matchers = MatcherDecoder(
      diagnostics: reader.diagnostics, allowsRelations: allowsRelations)
    let decoder = RequestPatternDecoder(reader: reader)
    do throws(ReportedFault) {
      method = try decoder.method()
      target = try decoder.target()
      host = try decoder.host(MatcherDecoder(diagnostics: reader.diagnostics))
    } catch {
      return nil
    }
    guard let queryParameters = matchers.named(reader.members("queryParameters")),
      decoder.checkOtherParameters(),
      let headers = matchers.named(reader.members("headers"), namesHaveCase: false),
      let cookies = matchers.named(reader.members("cookies")),
      let bodyPatterns = matchers.list(reader.list("bodyPatterns")),
      !reader.rejectedKeys.contains(where: RequestPatternShape.names.contains)
    else { return nil }
    scheme = reader.string("scheme")
    port = reader.integer("port")
    self.queryParameters = queryParameters
    allowsOtherParameters = reader.bool("otherParameters") ?? true
    self.headers = headers
    self.cookies = cookies
    self.bodyPatterns = bodyPatterns
  }
}

/// Something is wrong, and has been reported.
struct ReportedFault: Error {}

/// Reads the parts of a request pattern that aren't matchers; `nil` is absent.
struct RequestPatternDecoder {
  let reader: ObjectReader

  private var diagnostics: DiagnosticCollector { reader.diagnostics }

  private static let methods = [
    "ANY", "GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS", "TRACE", "OPEN",
  ]

  func method() throws(ReportedFault) -> String? {
    guard let node = reader.value("method"), let method = node.stringValue else { return nil }
    let capitals = method.uppercased()
    if method != capitals, Self.methods.contains(capitals) {
      diagnostics.error(
        "\"\(method)\" isn't a method: methods are written in capitals.", at: node.location,
        suggestions: [capitals])
      throw ReportedFault()
    }
    return method
  }

  /// Without named parameters, nobody could tell a slip from a query that must be empty.
  func checkOtherParameters() -> Bool {
    guard let member = reader.member("otherParameters"), !reader.has("queryParameters") else {
      return true
    }
    diagnostics.error(
      "\"otherParameters\" needs \"queryParameters\" beside it. For a query without parameters, "
        + "write \"queryParameters\": {}.", at: member.keyLocation)
    return false
  }

  func host(_ matchers: MatcherDecoder) throws(ReportedFault) -> ValueMatcher? {
    guard let node = reader.value("host") else { return nil }
    guard checkLiterals(of: node) else { throw ReportedFault() }
    if let text = node.stringValue { return .equalTo(text, caseInsensitive: true) }
    guard let matcher = matchers.matcher(node) else { throw ReportedFault() }
    return matcher.inSmallLetters
  }

  /// Whether requests can have the texts in a matcher for hosts; what is wrong is reported.
  private func checkLiterals(of node: JSONNode) -> Bool {
    if let text = node.stringValue {
      if HostLiteral.isASCII(text) { return true }
      diagnostics.error(
        HostLiteral.fault(text), at: node.location,
        suggestions: HostLiteral.sent(text).map { [$0] } ?? [])
      return false
    }
    let operands = (node.objectValue ?? []).filter { Self.literalOperators.contains($0.key) }
    return (operands.map(\.value) + (node.arrayValue ?? [])).allSatisfy(checkLiterals)
  }

  private static let literalOperators: Set = [
    "equalTo", "contains", "doesNotContain", "and", "or", "not",
  ]

  func target() throws(ReportedFault) -> RequestPattern.Target? {
    let written = RequestPatternShape.targets.compactMap { reader.member($0) }.sorted {
      $0.keyLocation.range.lowerBound < $1.keyLocation.range.lowerBound
    }
    guard let first = written.first, let text = first.value.stringValue else { return nil }
    for other in written.dropFirst() {
      diagnostics.error(
        "\"\(other.key)\" can't stand beside \"\(first.key)\". Keep one of them.",
        at: other.keyLocation, notes: [.init("The first one is here.", at: first.keyLocation)])
    }
    guard written.count == 1, let target = target(first, text) else { throw ReportedFault() }
    warn(first, text)
    return target
  }

  private func target(_ member: JSONMember, _ text: String) -> RequestPattern.Target? {
    switch member.key {
    case "url": return .url(text)
    case "urlPath": return .urlPath(text)
    case "urlPattern":
      return TextPattern(text, in: member.value, diagnostics).map { .urlPattern($0) }
    default: return TextPattern(text, in: member.value, diagnostics).map { .urlPathPattern($0) }
    }
  }

  /// Says what no request can ever be: with a count of 0 such an expectation would always be met.
  private func warn(_ member: JSONMember, _ text: String) {
    if member.key.hasSuffix("Pattern") { return warnOfExpression(member, text) }
    let parts = RequestURL(text)
    if text.utf8.first != UInt8(ascii: "/"), parts.scheme == nil {
      diagnostics.warning(
        "\"\(text)\" is neither an absolute URL nor a path: write \"https://…\", or begin with \"/\".",
        at: member.value.location)
    } else if member.key == "urlPath", parts.query != nil {
      diagnostics.warning(
        "\"urlPath\" is compared with the path alone, and this has a query. "
          + "Use \"url\", or \"queryParameters\".", at: member.value.location)
    } else if text.utf8.contains(where: { $0 >= 0x80 || $0 == 0x20 }),
      let character = text.first(where: { !$0.isASCII || $0 == " " })
    {
      diagnostics.warning(
        "\"\(character)\" is in no URL as it is sent: write it percent-encoded, or match the "
          + "decoded value with \"queryParameters\".", at: member.value.location)
    }
  }

  private func warnOfExpression(_ member: JSONMember, _ text: String) {
    guard !RegularExpressionSyntax.beginsWithSlash(text),
      RegularExpressionSyntax.excludesScheme(text)
    else { return }
    diagnostics.warning(
      "\"\(text)\" matches no absolute URL, and isn't tried on paths, since it doesn't begin with "
        + "\"/\". Begin it with \"https://\", \".*\" or \"/\".", at: member.value.location)
  }
}

extension ValueMatcher {
  /// The same matcher for a host, where capitals mean nothing; regular expressions stay as they are.
  fileprivate var inSmallLetters: ValueMatcher {
    switch self {
    case .equalTo(let text, _): .equalTo(text, caseInsensitive: true)
    case .contains(let text): .contains(text.lowercased())
    case .doesNotContain(let text): .doesNotContain(text.lowercased())
    case .and(let matchers): .and(matchers.map(\.inSmallLetters))
    case .or(let matchers): .or(matchers.map(\.inSmallLetters))
    case .not(let matcher): .not(matcher.inSmallLetters)
    default: self
    }
  }
}

/// The names of hosts as people write them, which requests have in ASCII.
package enum HostLiteral {
  /// The name as requests have it: labels with other letters in their `xn--` form (RFC 5891), as `URL`
  /// writes them.
  ///
  /// - Returns: `nil` where it has no such form: it is more than a name, or only a part of a label is known.
  package static func sent(_ name: String) -> String? {
    let isPartial = name.split(separator: ".").contains { $0.contains("*") && !isASCII($0) }
    guard !isPartial, !name.contains(where: { "/:?#@[]".contains($0) }),
      let host = URL(string: "https://\(name)")?.host, isASCII(host)
    else {
      return nil
    }
    return host
  }

  /// What is wrong with a name that isn't in ASCII.
  package static func fault(_ name: String) -> String {
    "\"\(name)\" is in the host of no request: hosts are sent in ASCII. Write names with other letters in "
      + "their \"xn--\" form."
  }

  package static func isASCII(_ text: some StringProtocol) -> Bool {
    text.utf8.allSatisfy { $0 < 0x80 }
  }
}
