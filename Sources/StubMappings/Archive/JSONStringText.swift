import Foundation

/// Decodes the content of a JSON string.
enum JSONStringText {
  /// - Parameter range: between the quotes.
  static func decoded(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> String {
    let content = UnsafeBufferPointer(rebasing: bytes[range])
    guard content.contains(UInt8(ascii: "\\")) else {
      return String(decoding: content, as: UTF8.self)
    }
    // Foundation's decoder knows the escapes; it wants the quotes.
    var quoted = Data([UInt8(ascii: "\"")])
    quoted.append(content)
    quoted.append(UInt8(ascii: "\""))
    return (try? JSONDecoder().decode(String.self, from: quoted))
      ?? String(decoding: content, as: UTF8.self)
  }
}
