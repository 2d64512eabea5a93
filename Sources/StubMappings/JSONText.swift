import SourceText

/// Writes a JSON value as compact JSON, its numbers as they were written.
enum JSONText {
  static func bytes(of node: JSONNode) -> [UInt8] {
    var bytes: [UInt8] = []
    append(node, to: &bytes)
    return bytes
  }

  private static func append(_ node: JSONNode, to bytes: inout [UInt8]) {
    switch node.value {
    case .null, .invalid: bytes += "null".utf8
    case .bool(let value): bytes += (value ? "true" : "false").utf8
    case .number(let text): bytes += text.utf8
    case .string(let text): append(text, to: &bytes)
    case .array(let elements):
      appendList(elements, "[", "]", to: &bytes) { append($0, to: &$1) }
    case .object(let members):
      appendList(members, "{", "}", to: &bytes) { member, bytes in
        append(member.key, to: &bytes)
        bytes += ":".utf8
        append(member.value, to: &bytes)
      }
    }
  }

  private static func appendList<Element>(
    _ elements: [Element], _ open: String, _ close: String, to bytes: inout [UInt8],
    _ append: (Element, inout [UInt8]) -> Void
  ) {
    bytes += open.utf8
    for (index, element) in elements.enumerated() {
      if index > 0 { bytes += ",".utf8 }
      append(element, &bytes)
    }
    bytes += close.utf8
  }

  private static func append(_ text: String, to bytes: inout [UInt8]) {
    bytes += "\"".utf8
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
      case 0..<0x20:
        let digits = String(byte, radix: 16)
        bytes += ("\\u" + String(repeating: "0", count: 4 - digits.count) + digits).utf8
      default: bytes.append(byte)
      }
    }
    bytes += "\"".utf8
  }
}
