import Foundation
import JSON

/// A captured response.
struct HARResponse {
  private let status: Int
  private let json: JSONValue

  /// Why there is nothing to answer with, in words that follow a colon.
  enum Fault: String, Error {
    case noJSON = "it isn't valid JSON"
    case noText = "its body isn't a text"
    case noBase64 = "its body isn't Base64, although its \"encoding\" says so"
  }

  /// - Parameter json: the `response` object, `null` where it can't be read.
  init(_ json: JSONValue, status: Int) {
    self.json = json
    self.status = status
  }

  /// The response as the app gets it.
  func message() throws(Fault) -> StubMessage {
    guard case .object = json else { throw .noJSON }
    let body = try body()
    return StubMessage(status: status, headers: headers(body: body), body: .bytes(body))
  }

  private var encoding: String? { json["content"]?["encoding"]?.string }

  private func body() throws(Fault) -> [UInt8] {
    let content = json["content"]?["text"] ?? .null
    if content.isNull { return [] }
    guard let text = content.string else { throw .noText }
    guard encoding?.lowercased() == "base64" else { return Array(text.utf8) }
    guard let data = Data(base64Encoded: text, options: .ignoreUnknownCharacters) else {
      throw .noBase64
    }
    return Array(data)
  }

  /// Headers that speak of the bytes on the wire would contradict the body, which a capture has decoded.
  private func headers(body: [UInt8]) -> [StubHeader] {
    var result: [StubHeader] = []
    for header in json["headers"]?.array ?? [] {
      guard let name = header["name"]?.string, !name.hasPrefix(":") else { continue }
      let value = header["value"]?.string ?? ""
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

  /// Some exporters tell the target of a redirect in a field of its own alone.
  private func missingHeaders(besides headers: [StubHeader]) -> [StubHeader] {
    guard (300..<400).contains(status), let target = json["redirectURL"]?.string, !target.isEmpty,
      !headers.contains(where: { $0.isNamed("Location") })
    else { return [] }
    return [StubHeader("Location", target)]
  }

  /// A text was decoded by its charset, and is UTF-8 now.
  private func contentType(_ value: String, _ body: [UInt8]) -> String {
    guard encoding == nil, body.contains(where: { $0 >= 0x80 }),
      let charset = value.range(of: "charset=", options: .caseInsensitive)
    else { return value }
    let end = value[charset.upperBound...].firstIndex(of: ";") ?? value.endIndex
    return value.replacingCharacters(in: charset.upperBound..<end, with: "utf-8")
  }
}
