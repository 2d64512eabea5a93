import Foundation
import JSON
import RequestMatching
import SourceText

/// Something that was taken out of a capture, with what stands in its place.
package struct Redaction: Sendable, Equatable {
  package enum Kind: Sendable, Equatable {
    case credential, cookie, token, emailAddress
  }

  /// Where something was found first.
  package struct Place: Sendable, Equatable {
    package enum Part: Sendable, Equatable {
      case header(String)
      case cookie(String)
      case parameter(String)
      /// With the names that lead to a member of JSON.
      case body([String])
      case url
      /// Something else, by its key.
      case member(String)
    }

    /// In the capture, from 1; 0 is outside of all.
    package var entry: Int
    package var isAnswer: Bool
    package var part: Part
  }

  package var kind: Kind
  package var placeholder: String
  package var place: Place
  /// In how many places of what is written it stood.
  package var count = 0
}

/// Takes out of a capture what gives access to something or names somebody. The same secret gets the same
/// placeholder wherever it stands, so that requests still find their answers.
///
/// What a name or a look gives away is found entry by entry; `everywhere` then replaces what was found also
/// where nothing gives it away.
struct CaptureRedactor {
  static let beginning = "redacted-"

  /// In the order in which they were found.
  private(set) var redactions: [Redaction] = []
  /// By secret: its place in `redactions`.
  private var known: [String: Int] = [:]
  private let finder: SecretFinder
  /// Those that the user names.
  private let named: Set<String>
  /// Of all requests: some look like random texts, and without them no request finds its answer.
  private let hosts: Set<String>
  private var entry = 0
  private var isAnswer = false
  /// The path of the entry's request, which headers of HTTP/2 and notes of exporters say again.
  private var requestPath = ""

  /// - Parameters:
  ///   - secrets: values that are known to be secret.
  ///   - hosts: of all requests, in small letters.
  init(secrets: some Sequence<String>, hosts: Set<String>) {
    finder = SecretFinder(values: secrets)
    self.hosts = hosts
    named = Set(secrets.filter { $0.utf8.count >= SecretSearch.shortest })
    for secret in named.sorted() { _ = placeholder(for: secret, .credential, .member("--secret")) }
  }

  // MARK: - Entries

  /// - Parameter number: of the entry in the capture, from 1.
  mutating func redacted(_ value: JSONValue, entry number: Int) -> JSONValue {
    entry = number
    let url = RequestURL(value["request"]?["url"]?.string ?? "")
    requestPath = String(decoding: url.path, as: UTF8.self)
    return value.mapMembers { key, value in
      isAnswer = key == "response"
      return key == "request" || key == "response" ? message(value) : other(value, key)
    }
  }

  /// What stands beside the entries.
  mutating func redacted(besideEntries value: JSONValue) -> JSONValue {
    (entry, isAnswer) = (0, false)
    return other(value, "log")
  }

  private mutating func message(_ value: JSONValue) -> JSONValue {
    value.mapMembers { key, value in
      switch (key, value) {
      case ("headers", _), ("cookies", _), ("queryString", _): pairs(value, key)
      case ("url", .string(let text)), ("redirectURL", .string(let text)):
        .string(url(text, .url))
      case ("postData", _), ("content", _): content(value)
      default: other(value, key)
      }
    }
  }

  /// A list of objects with `name` and `value`.
  private mutating func pairs(_ list: JSONValue, _ key: String) -> JSONValue {
    guard let elements = list.array else { return list }
    return .array(
      elements.map { element in
        guard var object = element.object, let name = object["name"]?.string,
          let value = object["value"]?.string
        else { return other(element, "name") }
        let kept =
          switch key {
          case "headers": header(name, value)
          case "cookies": cookie(name, value)
          default: self.value(value, named: name, .parameter(name))
          }
        object["value"] = .string(kept)
        return .object(object)
      })
  }

  private mutating func other(_ value: JSONValue, _ key: String) -> JSONValue {
    value.mapLeaves(key) { key, leaf in
      leaf.string.map { .string(self.value($0, named: "", .member(key))) } ?? leaf
    }
  }

  // MARK: - Headers

  /// Random texts that give access to nothing.
  private static let plainHeaders: Set<String> = [
    "etag", "if-none-match", "content-md5", "digest", "content-security-policy", "user-agent",
    "sec-websocket-key", "sec-websocket-accept", "x-request-id", "cf-ray", "x-amz-cf-id",
    "x-amzn-requestid", "x-amzn-trace-id", "traceparent", "nel", "report-to", "alt-svc",
  ]

  private mutating func header(_ name: String, _ value: String) -> String {
    let (part, lower) = (Redaction.Place.Part.header(name), name.lowercased())
    switch lower {
    case "cookie":
      return value.split(separator: ";", omittingEmptySubsequences: false).map { pair($0) }
        .joined(separator: ";")
    case "set-cookie":
      // Browsers write several into one value, one a line; attributes follow each.
      return value.split(separator: "\n", omittingEmptySubsequences: false).map { line in
        let parts = line.split(separator: ";", maxSplits: 1, omittingEmptySubsequences: false)
        return ([pair(parts[0])] + parts.dropFirst().map(String.init)).joined(separator: ";")
      }.joined(separator: "\n")
    default:
      // Those of CORS say what is allowed.
      if isSecret(lower), !lower.hasPrefix("access-control-") { return credential(value, part) }
      return Self.plainHeaders.contains(lower)
        ? scanned(value, part) : self.value(value, named: "", part)
    }
  }

  private mutating func pair(_ text: Substring) -> String {
    guard let equals = text.firstIndex(of: "=") else { return String(text) }
    let name = text[..<equals].trimmingCharacters(in: .whitespaces)
    return text[...equals] + cookie(name, String(text[text.index(after: equals)...]))
  }

  private mutating func cookie(_ name: String, _ value: String) -> String {
    placeholder(for: value, .cookie, .cookie(name))
  }

  /// Of `Bearer abc` the second part.
  private mutating func credential(_ value: String, _ part: Redaction.Place.Part) -> String {
    let parts = value.split(separator: " ", maxSplits: 1)
    guard parts.count == 2, parts[0].allSatisfy({ $0.isLetter || "-0123456789".contains($0) })
    else { return placeholder(for: value, .credential, part) }
    return parts[0] + " " + placeholder(for: String(parts[1]), .credential, part)
  }

  // MARK: - Values

  private func isSecret(_ name: String) -> Bool {
    let plain = name.lowercased().filter { !"_-.".contains($0) }
    return finder.isSecret(name: name)
      || ["sid", "sessionid", "phpsessid", "jsessionid", "authkey", "pwd"].contains(plain)
  }

  private mutating func value(
    _ text: String, named name: String, _ part: Redaction.Place.Part
  ) -> String {
    if isSecret(name), !["", "true", "false", "null"].contains(text) {
      return placeholder(for: text, .credential, part)
    }
    let isPath = isPath(text)
    if !isPath, !hosts.contains(text.lowercased()), SecretShape.isRandom(text) {
      return placeholder(for: text, .token, part)
    }
    if text.hasPrefix("Bearer ") || text.hasPrefix("Basic ") { return credential(text, part) }
    let isURL = isPath || text.contains("://") || text.hasPrefix("/")
    if isURL, !text.contains(where: \.isWhitespace) { return url(text, part) }
    return scanned(text, part)
  }

  /// Whether a text is the path of the request, or of a file: its slash belongs to the URL that is made of it,
  /// and a long name in it isn't a token any more than in a whole URL. Base64 may begin with a slash, too.
  private func isPath(_ text: String) -> Bool {
    guard text.hasPrefix("/") else { return false }
    let path = text.prefix { $0 != "?" && $0 != "#" }
    let name = path.split(separator: "/").last ?? ""
    let ending = name.split(separator: ".", omittingEmptySubsequences: false).dropFirst().last ?? ""
    return path == requestPath
      || (1...5).contains(ending.utf8.count) && ending.allSatisfy { $0.isLetter || $0.isNumber }
  }

  /// A text in which something of a known shape may stand.
  private mutating func scanned(_ text: String, _ part: Redaction.Place.Part) -> String {
    let bytes = Array(text.utf8)
    let found =
      SecretShape.tokens(in: bytes).map { ($0, Redaction.Kind.token) }
      + SecretShape.emailAddresses(in: bytes).map { ($0, .emailAddress) }
    guard !found.isEmpty else { return text }
    var result: [UInt8] = []
    var end = 0
    for (range, kind) in found.sorted(by: { $0.0.lowerBound < $1.0.lowerBound })
    where range.lowerBound >= end {
      result += bytes[end..<range.lowerBound]
      let secret = String(decoding: bytes[range], as: UTF8.self)
      result += placeholder(for: secret, kind, part).utf8
      end = range.upperBound
    }
    return String(decoding: result + bytes[end...], as: UTF8.self)
  }

  private mutating func url(_ text: String, _ part: Redaction.Place.Part) -> String {
    let mark = text.firstIndex { $0 == "?" || $0 == "#" } ?? text.endIndex
    var base = String(text[..<mark])
    if let start = base.range(of: "://")?.upperBound {
      let authority = base[start...].prefix { $0 != "/" }
      if let at = authority.lastIndex(of: "@") {
        let secret = placeholder(for: String(base[start..<at]), .credential, part)
        base.replaceSubrange(start..<at, with: secret)
      }
    }
    base = scanned(base, part)
    guard mark < text.endIndex else { return base }
    let rest = text[text.index(after: mark)...]
    let parts = rest.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
    return base + String(text[mark]) + parts.map { query($0) }.joined(separator: "#")
  }

  /// Parameters, in a URL or a form.
  private mutating func query(_ text: some StringProtocol) -> String {
    text.split(separator: "&", omittingEmptySubsequences: false).map { part in
      guard let equals = part.firstIndex(of: "=") else { return String(part) }
      let item = QueryItem(raw: Array(part.utf8)[...])
      let name = String(decoding: item.name, as: UTF8.self)
      let sent = String(decoding: item.value, as: UTF8.self)
      let kept = value(sent, named: name, .parameter(name))
      return kept == sent ? String(part) : part[...equals] + Self.percentEncoded(kept)
    }.joined(separator: "&")
  }

  private static func percentEncoded(_ text: String) -> String {
    let unreserved = CharacterSet(charactersIn: "-._~").union(.alphanumerics)
      .intersection(CharacterSet(charactersIn: "\u{0}"..."\u{7F}"))
    return text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? text
  }

  // MARK: - Bodies

  private mutating func content(_ value: JSONValue) -> JSONValue {
    guard var object = value.object else { return value }
    if let text = object["text"]?.string {
      let isForm = object["mimeType"]?.string?.contains("x-www-form-urlencoded") == true
      object["text"] = .string(
        Self.body(text, encoding: object["encoding"]?.string) {
          isForm ? query($0) : body($0)
        })
    }
    object["params"] = object["params"].map { pairs($0, "params") }
    return .object(object)
  }

  /// Changes a body; bytes that aren't a text stay as they are.
  static func body(
    _ text: String, encoding: String?, _ change: (String) -> String
  ) -> String {
    guard encoding?.lowercased() == "base64" else { return change(text) }
    guard let data = Data(base64Encoded: text, options: .ignoreUnknownCharacters),
      let decoded = String(validating: data, as: UTF8.self)
    else { return text }
    let changed = change(decoded)
    return changed == decoded ? text : Data(changed.utf8).base64EncodedString()
  }

  private mutating func body(_ text: String) -> String {
    guard let first = text.first(where: { !$0.isWhitespace }), "{[".contains(first) else {
      return scanned(text, .body([]))
    }
    let file = SourceFile(path: "", text: text)
    let (node, problems) = JSONParser.parse(file)
    guard let node, problems.isEmpty else {
      // A value a line.
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      return lines.count > 1
        ? lines.map { body(String($0)) }.joined(separator: "\n") : scanned(text, .body([]))
    }
    var edits: [TextEdit] = []
    find(in: node, [], &edits)
    return String(decoding: TextEdit.applying(edits, to: file), as: UTF8.self)
  }

  private mutating func find(in node: JSONNode, _ path: [String], _ edits: inout [TextEdit]) {
    let name = path.last { $0 != "[]" } ?? ""
    switch node.value {
    case .string(let text):
      let kept = value(text, named: name, .body(path))
      if kept != text { edits.append(TextEdit(JSONValue.string(kept).text(), at: node.location)) }
    case .number where isSecret(name):
      // What reads it expects a number.
      redactions.append(
        Redaction(kind: .credential, placeholder: "0", place: place(.body(path)), count: 1))
      edits.append(TextEdit("0", at: node.location))
    case .array(let elements): for element in elements { find(in: element, path + ["[]"], &edits) }
    case .object(let members):
      for member in members { find(in: member.value, path + [member.key], &edits) }
    default: break
    }
  }

  // MARK: - Placeholders

  private mutating func placeholder(
    for secret: String, _ kind: Redaction.Kind, _ part: Redaction.Place.Part
  ) -> String {
    guard !secret.isEmpty, !secret.hasPrefix(Self.beginning) else { return secret }
    if let index = known[secret] { return redactions[index].placeholder }
    let isAddress = SecretShape.emailAddresses(in: Array(secret.utf8)) == [0..<secret.utf8.count]
    let digits = "\(redactions.count + 1)"
    // None is the beginning of another.
    let number = Self.beginning + String(repeating: "0", count: max(0, 3 - digits.count)) + digits
    known[secret] = redactions.count
    redactions.append(
      Redaction(
        kind: kind, placeholder: isAddress ? number + "@example.com" : number, place: place(part)))
    return redactions[redactions.count - 1].placeholder
  }

  private func place(_ part: Redaction.Place.Part) -> Redaction.Place {
    Redaction.Place(entry: entry, isAnswer: isAnswer, part: part)
  }

  /// Replaces everything that was found, also where nothing gives it away; a short text, or a word, stands
  /// in many places by chance.
  func everywhere(_ values: [JSONValue]) -> [JSONValue] {
    let secrets = known.filter { secret, _ in
      secret.utf8.count >= SecretSearch.shortest
        && (secret.utf8.count >= 8 && secret.contains(where: \.isNumber)
          || named.contains(secret) || SecretShape.isRandom(secret) || secret.contains("@")
          || secret.utf8.count >= 16)
    }
    let search = SecretSearch(
      secrets.flatMap { secret, index in
        let placeholder = redactions[index].placeholder
        let written = String(JSONValue.string(secret).text().dropFirst().dropLast())
        return Set([secret, Self.percentEncoded(secret), written]).map { ($0, placeholder) }
      })
    return search.isEmpty ? values : values.map { $0.mapTexts(search.replaced) }
  }
}

extension JSONValue {
  /// The value with each text in it changed: what it means where an `encoding` stands beside it.
  func mapTexts(_ change: (String) -> String) -> JSONValue {
    switch self {
    case .string(let text): .string(change(text))
    case .array(let elements): .array(elements.map { $0.mapTexts(change) })
    case .object(let object):
      mapMembers { key, value in
        guard key == "text", let text = value.string else { return value.mapTexts(change) }
        let encoding = object["encoding"]?.string
        return .string(CaptureRedactor.body(text, encoding: encoding, change))
      }
    case .null, .bool, .number: self
    }
  }
}

/// Finds many texts in one go.
private struct SecretSearch {
  /// So many bytes a secret has at least.
  static let shortest = 4

  /// By their first bytes; the longest first.
  private var secrets: [UInt32: [(secret: [UInt8], placeholder: [UInt8])]] = [:]

  var isEmpty: Bool { secrets.isEmpty }

  /// - Parameter pairs: each with what takes its place.
  init(_ pairs: [(String, String)]) {
    for (secret, placeholder) in pairs.sorted(by: {
      ($1.0.utf8.count, $0.0) < ($0.0.utf8.count, $1.0)
    }) {
      let bytes = Array(secret.utf8)
      secrets[Self.key(bytes, 0), default: []].append((bytes, Array(placeholder.utf8)))
    }
  }

  func replaced(in text: String) -> String {
    let bytes = Array(text.utf8)
    var (result, end, at) = ([UInt8](), 0, 0)
    while at + Self.shortest <= bytes.count {
      let found = secrets[Self.key(bytes, at)]?.first { bytes[at...].starts(with: $0.secret) }
      guard let found else {
        at += 1
        continue
      }
      result += bytes[end..<at] + found.placeholder
      at += found.secret.count
      end = at
    }
    return end == 0 ? text : String(decoding: result + bytes[end...], as: UTF8.self)
  }

  private static func key(_ bytes: [UInt8], _ at: Int) -> UInt32 {
    bytes[at..<at + shortest].reduce(0) { $0 << 8 | UInt32($1) }
  }
}
