import SourceText

extension JSONNode {
  /// The value as JSON without blanks, members in their order and numbers as they are written.
  ///
  /// `nil` where a part of it can't be read, which is reported already.
  var compactJSON: String? {
    switch value {
    case .null: return "null"
    case .bool(let value): return "\(value)"
    case .number(let text): return text
    case .string(let text): return Self.quoted(text)
    case .array(let elements):
      let texts = elements.map(\.compactJSON)
      return texts.contains(nil) ? nil : "[" + texts.compactMap { $0 }.joined(separator: ",") + "]"
    case .object(let members):
      let texts = members.map { member in
        member.value.compactJSON.map { "\(Self.quoted(member.key)):\($0)" }
      }
      return texts.contains(nil) ? nil : "{" + texts.compactMap { $0 }.joined(separator: ",") + "}"
    case .invalid: return nil
    }
  }

  private static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": result += "\\\(scalar)"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case _ where scalar.value < 0x20:
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
