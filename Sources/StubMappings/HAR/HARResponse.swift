import Foundation

/// A captured response.
struct HARResponse: Decodable {
  struct Header: Decodable {
    var name: String?
    var value: String?
  }

  struct Content: Decodable {
    var text: String?
    var encoding: String?
    var mimeType: String?
  }

  var status: Int
  var headers: [Header]?
  var content: Content?
  var redirectURL: String?

  static func decoded(from bytes: ArraySlice<UInt8>) throws -> HARResponse {
    try JSONDecoder().decode(HARResponse.self, from: Data(bytes))
  }

  /// The response as the app gets it.
  ///
  /// - Throws: `UnreadableBody` where the body is no Base64 though it should be.
  func message() throws -> StubMessage {
    let body = try self.body()
    return StubMessage(status: status, headers: headers(body: body), body: .bytes(body))
  }

  private func body() throws -> [UInt8] {
    guard let text = content?.text else { return [] }
    guard content?.encoding?.lowercased() == "base64" else { return Array(text.utf8) }
    guard let data = Data(base64Encoded: text, options: .ignoreUnknownCharacters) else {
      throw UnreadableBody()
    }
    return Array(data)
  }

  struct UnreadableBody: Error, CustomStringConvertible {
    var description: String { "its body is no Base64, although its \"encoding\" says so" }
  }

  /// Headers that speak of the bytes on the wire would contradict the body, which a capture has decoded.
  private func headers(body: [UInt8]) -> [StubHeader] {
    var result: [StubHeader] = []
    for header in headers ?? [] {
      guard let name = header.name, !name.hasPrefix(":") else { continue }
      let value = header.value ?? ""
      switch name.lowercased() {
      case "content-encoding", "transfer-encoding": continue
      case "content-length":
        result.append(StubHeader(name, body.isEmpty ? value : "\(body.count)"))
      case "content-type": result.append(StubHeader(name, contentType(value, body)))
      // Browsers write several cookies into one value, one a line.
      case "set-cookie":
        result += value.split(separator: "\n").map { StubHeader(name, String($0)) }
      default: result.append(StubHeader(name, value))
      }
    }
    return result + missingHeaders(besides: result)
  }

  /// Some exporters tell the type and the target of a redirect in their own fields alone.
  private func missingHeaders(besides headers: [StubHeader]) -> [StubHeader] {
    var missing: [StubHeader] = []
    if (300..<400).contains(status), let redirectURL, !redirectURL.isEmpty,
      !headers.contains(where: { $0.isNamed("Location") })
    {
      missing.append(StubHeader("Location", redirectURL))
    }
    return missing
  }

  /// A text was decoded by its charset, and is UTF-8 now.
  private func contentType(_ value: String, _ body: [UInt8]) -> String {
    guard content?.encoding == nil, body.contains(where: { $0 >= 0x80 }),
      let charset = value.range(of: "charset=", options: .caseInsensitive)
    else { return value }
    let end = value[charset.upperBound...].firstIndex(of: ";") ?? value.endIndex
    return value.replacingCharacters(in: charset.upperBound..<end, with: "utf-8")
  }
}
