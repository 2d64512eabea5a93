import Foundation
import RequestMatching

/// The body of a captured request.
struct HARPostData: Decodable {
  struct Parameter: Decodable {
    var name: String?
    var value: String?
  }

  var text: String?
  /// Not of the standard, but written by Chrome for bodies that are no text.
  var encoding: String?
  var params: [Parameter]?

  static func decoded(from bytes: ArraySlice<UInt8>) throws -> HARPostData {
    try JSONDecoder().decode(HARPostData.self, from: Data(bytes))
  }

  /// Whether a request has this body: the same bytes, the same JSON, or the same form.
  func isBody(of request: MatchableRequest) -> Bool {
    let sent = request.body ?? []
    if let text, !text.isEmpty { return isSame(Self.bytes(text, encoding), sent, request) }
    guard let params, !params.isEmpty else { return sent.isEmpty }
    let items = QueryItem.items(of: sent[...])
    return items.count == params.count
      && zip(items, params).allSatisfy { item, parameter in
        Self.isSame(item.name, parameter.name) && Self.isSame(item.value, parameter.value)
      }
  }

  private func isSame(
    _ captured: [UInt8], _ sent: [UInt8], _ request: MatchableRequest
  ) -> Bool {
    if captured == sent { return true }
    // Encoders of JSON don't keep an order of keys.
    guard let wanted = JSONBody(parsing: captured), let got = request.bodyJSON else { return false }
    return JSONComparison(ignoreArrayOrder: false, ignoreExtraElements: false).matches(wanted, got)
  }

  /// Some exporters decode the values of a form, some don't.
  private static func isSame(_ sent: [UInt8], _ captured: String?) -> Bool {
    let captured = Array((captured ?? "").utf8)
    return sent == captured || sent == QueryItem.decoded(captured[...])
  }

  private static func bytes(_ text: String, _ encoding: String?) -> [UInt8] {
    guard encoding == "base64", let data = Data(base64Encoded: text) else {
      return Array(text.utf8)
    }
    return Array(data)
  }
}
