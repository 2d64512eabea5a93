import Foundation

/// The texts by which a secret is known: the value itself, its lines, and how it looks inside
/// something that was encoded in Base64, as in the header of a basic authentication.
///
/// Escapes, those of URLs, JSON and XML, are seen through by `SecretMatcher`.
struct SecretForms {
  /// A shorter value stands in too many texts by chance: it counts only as a whole word.
  static let shortestPart = 4

  let patterns: [SecretMatcher.Pattern]

  init(_ value: String) {
    let whole = value.trimmingCharacters(in: .whitespacesAndNewlines)
    guard whole.utf8.count >= Self.shortestPart else {
      patterns = whole.isEmpty ? [] : [.init(bytes: Array(whole.utf8), place: .wholeWord)]
      return
    }
    let lines = whole.split(whereSeparator: \.isNewline)
      .map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { $0.utf8.count >= Self.shortestPart }
    let texts = Set([whole, Self.seen(whole)] + lines)
      .filter { $0.utf8.count >= Self.shortestPart }
    let encoded = Set((0..<3).flatMap { Self.base64(of: whole, after: $0) })
    patterns =
      texts.sorted().map { .init(bytes: Array($0.utf8)) }
      + encoded.sorted().map { .init(bytes: Array($0.utf8), isBase64: true) }
  }

  /// What is looked for in a text from which everything else has been removed as well.
  private static func seen(_ value: String) -> String {
    Array(value.utf8).withUnsafeBufferPointer { SeenText($0) }
      .map { String(decoding: $0.bytes, as: UTF8.self) } ?? value
  }

  /// The patterns of a value in a file, for messages that quote it. A short value, or a single
  /// word, counts only where it is quoted: it may be one of the message's own words.
  static func quoted(_ written: ArraySlice<UInt8>) -> [SecretMatcher.Pattern] {
    let text = String(decoding: written, as: UTF8.self)
    let decoded = try? JSONDecoder().decode(String.self, from: Data("\"\(text)\"".utf8))
    return Set([text, decoded ?? text]).sorted().filter { !$0.isEmpty }.map { value in
      let isWord = value.utf8.count < shortestPart || value.allSatisfy(\.isLetter)
      let isNumber = value.utf8.allSatisfy { (0x30...0x39).contains($0) }
      return .init(
        bytes: Array(value.utf8), place: isNumber ? .wholeWord : isWord ? .inQuotes : .anywhere)
    }
  }

  /// The characters that a value becomes in Base64, whatever stands before and after it, where it
  /// begins at a byte whose place is `shift` in its group of three; in both alphabets.
  private static func base64(of value: String, after shift: Int) -> [String] {
    let count = shift + value.utf8.count
    let bytes = Data(repeating: 0, count: shift) + Data(value.utf8)
    // Of the first and the last character some bits may be another byte's.
    let first = [0, 2, 3][shift]
    let last = count * 8 / 6
    let all = Array(bytes.base64EncodedString())
    let text = String(all[first..<last])
    return [text, text.replacing("+", with: "-").replacing("/", with: "_")]
  }
}
