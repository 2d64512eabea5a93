import Foundation

/// The texts by which a secret is known: the value itself, its lines, and how it looks inside
/// something that was encoded in Base64, as in the header of a basic authentication.
///
/// Escapes, those of URLs, JSON and XML, are seen through by `SecretMatcher`.
struct SecretForms {
  /// A shorter value stands in too many texts by chance: it counts only as a whole word.
  static let shortestPart = 4
  /// Shorter pieces of Base64 come about by chance.
  private static let shortestBase64 = 6

  let patterns: [SecretMatcher.Pattern]

  init(_ value: String) {
    let whole = value.trimmingCharacters(in: .whitespacesAndNewlines)
    guard whole.utf8.count >= Self.shortestPart else {
      patterns = whole.isEmpty ? [] : [.init(bytes: Array(whole.utf8), isWholeWord: true)]
      return
    }
    let lines = whole.split(whereSeparator: \.isNewline)
      .map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { $0.utf8.count >= Self.shortestPart }
    let texts = Set([whole] + lines + (0..<3).flatMap { Self.base64(of: whole, after: $0) })
    patterns = texts.sorted().map { .init(bytes: Array($0.utf8), isWholeWord: false) }
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
    guard last - first >= shortestBase64 else { return [] }
    let text = String(all[first..<last])
    return [text, text.replacing("+", with: "-").replacing("/", with: "_")]
  }
}
