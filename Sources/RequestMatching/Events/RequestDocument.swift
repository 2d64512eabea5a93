import Foundation
import JSON

/// A request as one JSON value, which paths of decoders look at.
///
///     {"method", "url", "host", "path", "query": {name: value}, "headers": {name: value}, "body"}
///
/// A name that occurs several times has the list of its values; names of headers are in small letters.
/// The body is what its content means: JSON, the list of its values where each line is JSON (even if there is
/// only one, where the content type says so), the object of a form's fields, else text; `null` where there is
/// none, or where it isn't text.
package struct RequestDocument: Sendable {
  package var value: JSONValue
  /// Why the body couldn't be decoded.
  package let problem: String?

  /// - Parameter encodedMembers: names of members that hold JSON in Base64, wherever they are; a value that
  ///   doesn't is left as it is.
  /// - Parameter readingForms: whether a form is the object of its fields, not text.
  /// - Parameter isWhole: whether it has more than `query` and `body`.
  package init(
    _ request: MatchableRequest, decoding encodedMembers: Set<String> = [],
    readingForms: Bool = true, isWhole: Bool = true
  ) {
    func text(_ bytes: ArraySlice<UInt8>?) -> JSONValue {
      bytes.map { .string(String(decoding: $0, as: UTF8.self)) } ?? .null
    }
    var document: JSONObject = [:]
    if isWhole {
      let (url, headers) = (request.url, request.headerFields)
      document = [
        "method": .string(request.method), "url": .string(url.text), "host": text(url.host),
        "path": text(url.path),
        "headers": .object(
          JSONObject(
            headers.map { ($0.key.text, Self.value(of: $0.value)) }.sorted { $0.0 < $1.0 })),
      ]
    }
    document["query"] = Self.object(of: request.queryItems)
    do throws(MatchingDoubt) {
      document["body"] = try Self.body(
        of: request, request.texts(ofHeader: "content-type").first ?? "", readingForms)
      value = try JSONValue.object(document).decodingBase64(in: encodedMembers)
      problem = request.decodedBody.problem
    } catch {
      document["body"] = .null
      value = .object(document)
      problem = error.problem ?? "\(error)"
    }
  }

  /// The fields of a query or a form, in their order.
  static func object(of items: [QueryItem]) -> JSONValue {
    var names: [ByteText] = []
    var values: [ByteText: [String]] = [:]
    for item in items {
      let name = ByteText(String(decoding: item.name, as: UTF8.self))
      if values[name] == nil { names.append(name) }
      values[name, default: []].append(String(decoding: item.value, as: UTF8.self))
    }
    return .object(JSONObject(names.map { ($0.text, value(of: values[$0] ?? [])) }))
  }

  private static func value(of texts: [String]) -> JSONValue {
    texts.count == 1 ? .string(texts[0]) : .strings(texts)
  }

  private static func body(
    of request: MatchableRequest, _ contentType: String, _ readingForms: Bool
  ) throws(MatchingDoubt) -> JSONValue {
    let bytes = request.decodedBody.bytes
    guard !bytes.isEmpty, request.decodedBody.problem == nil else { return .null }
    let isLines = saysLines(contentType)
    if isLines, let lines = try jsonLines(bytes) { return .array(lines) }
    if let json = try request.readBody.get() { return json }
    if !isLines, let lines = try jsonLines(bytes), lines.count > 1 { return .array(lines) }
    guard let text = String(validating: bytes, as: UTF8.self) else { return .null }
    return readingForms && isForm(text, contentType)
      ? object(of: QueryItem.items(of: bytes[...])) : .string(text)
  }

  /// Whether a content type is one of those that are in use for lines of JSON; none is registered.
  private static func saysLines(_ contentType: String) -> Bool {
    let type = contentType.prefix { $0 != ";" && !$0.isWhitespace }.lowercased()
    return typesOfLines.contains(type)
  }

  private static let typesOfLines = Set(
    ["ndjson", "x-ndjson", "jsonl", "x-jsonl", "jsonlines", "x-jsonlines", "json-lines"]
      .map { "application/\($0)" })

  /// - Returns: `nil` where a line isn't JSON.
  private static func jsonLines(_ bytes: [UInt8]) throws(MatchingDoubt) -> [JSONValue]? {
    let lines = bytes.split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
    guard lines.first?.first == UInt8(ascii: "{") else { return nil }
    var values: [JSONValue] = []
    for line in lines {
      guard let value = try JSONValue.sent(line) else { return nil }
      values.append(value)
    }
    return values
  }

  /// What says that it is one, or looks like one and says nothing.
  private static func isForm(_ text: String, _ contentType: String) -> Bool {
    if contentType.lowercased().hasPrefix("application/x-www-form-urlencoded") { return true }
    guard contentType.isEmpty || contentType.lowercased().hasPrefix("text/plain") else {
      return false
    }
    let name = text.prefix { $0 != "=" }
    return name.count < text.count && !name.isEmpty
      && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "_$.-[]%".contains($0)) }
      && !text.contains { $0.isWhitespace }
  }
}

extension JSONValue {
  /// The same value with the JSON that members of these names hold in Base64, with or without its padding and
  /// in both alphabets (RFC 4648, sections 4 and 5).
  fileprivate func decodingBase64(in names: Set<String>) throws(MatchingDoubt) -> JSONValue {
    if names.isEmpty { return self }
    switch self {
    case .array(let elements):
      return .array(
        try elements.map { (element) throws(MatchingDoubt) in
          try element.decodingBase64(in: names)
        })
    case .object(let object):
      let members = try object.members.map { (member) throws(MatchingDoubt) in
        let decoded = names.contains(member.key) ? try member.value.jsonInBase64() : nil
        if let decoded { return JSONObject.Member(member.key, decoded) }
        return JSONObject.Member(member.key, try member.value.decodingBase64(in: names))
      }
      return .object(JSONObject(members))
    default: return self
    }
  }

  private func jsonInBase64() throws(MatchingDoubt) -> JSONValue? {
    guard case .string(let text) = self else { return nil }
    var plain = text.replacing("-", with: "+").replacing("_", with: "/")
      .filter { !$0.isWhitespace }
    plain += String(repeating: "=", count: (4 - plain.count % 4) % 4)
    guard let data = Data(base64Encoded: plain) else { return nil }
    return try JSONValue.sent(data)
  }
}
