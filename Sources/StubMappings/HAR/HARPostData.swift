import Foundation
import JSON
import RequestMatching

/// The body of a captured request, as far as the capture tells it.
enum HARPostData {
  case nothing
  case bytes([UInt8])
  /// The fields of a form; or the members of a JSON object, which some exporters write like this.
  case parameters([(name: String, value: JSONValue)])
  /// There was a body, but the capture doesn't say which.
  case unknown

  /// - Parameters:
  ///   - json: the `postData` object, if there is one.
  ///   - bodySize: how many bytes the capture says were sent; 0 or less where it doesn't know.
  init(_ json: Slice<UnsafeBufferPointer<UInt8>>?, bodySize: Int) {
    let absent: Self = bodySize > 0 ? .unknown : .nothing
    guard let json else {
      self = absent
      return
    }
    switch JSONValue(body: json) {
    case .null?: self = absent
    case .object(let json)?: self = Self(json) ?? absent
    default: self = .unknown
    }
  }

  /// - Returns: `nil` where no body is written.
  private init?(_ json: JSONObject) {
    func member(_ key: String) -> JSONValue { json[key] ?? .null }
    switch member("text") {
    case .null, .string(""): break
    case .string(let text):
      self = .bytes(Self.bytes(text, member("encoding")))
      return
    default:
      self = .unknown
      return
    }
    switch member("params") {
    case .null: return nil
    case .array(let elements) where elements.isEmpty: return nil
    case .array(let elements):
      let parameters = elements.compactMap(Self.parameter)
      self = parameters.count == elements.count ? .parameters(parameters) : .unknown
    default: self = .unknown
    }
  }

  private static func bytes(_ text: String, _ encoding: JSONValue) -> [UInt8] {
    // Not of the standard, but written by Chrome for bodies that aren't text.
    guard case .string("base64") = encoding, let data = Data(base64Encoded: text) else {
      return Array(text.utf8)
    }
    return Array(data)
  }

  /// - Returns: `nil` for what has no name, and for a file, whose content a capture doesn't have.
  private static func parameter(_ json: JSONValue) -> (name: String, value: JSONValue)? {
    guard let name = json["name"]?.string, json["fileName"] == nil else { return nil }
    return (name, json["value"] ?? .null)
  }
}

extension HARPostData {
  /// Whether a request has this body: the same bytes, the same JSON, or the same form.
  ///
  /// A body that isn't known is nobody's.
  func isBody(of request: MatchableRequest) -> Bool {
    let sent = request.decodedBody.bytes
    switch self {
    case .nothing: return sent.isEmpty
    case .unknown: return false
    case .bytes(let captured):
      if captured == sent || captured == request.body { return true }
      // Encoders of JSON don't keep an order of keys.
      guard let wanted = JSONValue(body: captured), let got = request.bodyJSON else {
        return false
      }
      return Self.isEqual(wanted, got)
    case .parameters(let captured):
      if case .object(let sent)? = request.bodyJSON { return Self.isSame(captured, sent) }
      let items = QueryItem.items(of: sent[...])
      return items.count == captured.count
        && zip(items, captured).allSatisfy { item, parameter in
          Self.isSame(item.name, .string(parameter.name))
            && Self.isSame(item.value, parameter.value)
        }
    }
  }

  /// What a request's body is held against where it isn't this one; `nil` where any may be right.
  var matcher: ValueMatcher? {
    switch self {
    case .nothing: .absent
    case .unknown: nil
    case .bytes(let bytes):
      JSONValue(body: bytes).map { .equalToJson(WantedJSON(exactly: $0), Self.comparison) }
        ?? .equalTo(String(decoding: bytes, as: UTF8.self), caseInsensitive: false)
    case .parameters(let parameters):
      .equalTo(
        parameters.map { "\($0.name)=\(Self.text($0.value))" }.joined(separator: "&"),
        caseInsensitive: false)
    }
  }

  private static let comparison = JSONComparison(
    ignoreArrayOrder: false, ignoreExtraElements: false)

  private static func isEqual(_ wanted: JSONValue, _ got: JSONValue) -> Bool {
    // Without placeholders there is no expression that could be expensive.
    (try? comparison.matches(WantedJSON(exactly: wanted), got)) ?? false
  }

  private static func isSame(
    _ captured: [(name: String, value: JSONValue)], _ sent: JSONObject
  ) -> Bool {
    captured.count == sent.count
      && captured.allSatisfy { parameter in
        sent.members.contains { member in
          member.key.hasSameBytes(as: parameter.name)
            && (isEqual(parameter.value, member.value)
              // The standard's values are strings, whatever they were in the body.
              || isEqual(parameter.value, .string(member.value.text(.canonical))))
        }
      }
  }

  /// Some exporters decode the fields of a form, some don't.
  private static func isSame(_ sent: [UInt8], _ captured: JSONValue) -> Bool {
    let text = Array(text(captured).utf8)
    return sent == text || sent == QueryItem.decoded(text[...])
  }

  private static func text(_ value: JSONValue) -> String {
    switch value {
    case .null: ""
    case .string(let text): text
    default: value.text(.canonical)
    }
  }
}
