import Foundation
import RequestMatching

/// Decodes single JSON strings.
enum JSONText {
  /// - Parameter range: a string's content, without the quotes.
  static func decoded(_ range: Range<Int>, in bytes: [UInt8]) -> String {
    let raw = bytes[range]
    let hasEscapes = raw.withUnsafeBytes { raw in
      raw.baseAddress.map { memchr($0, Int32(UInt8(ascii: "\\")), raw.count) != nil } ?? false
    }
    guard hasEscapes else { return String(decoding: raw, as: UTF8.self) }
    let quoted = bytes[range.lowerBound - 1..<range.upperBound + 1]
    if case .string(let text)? = JSONBody(parsing: Array(quoted)) { return text }
    return String(decoding: raw, as: UTF8.self)
  }
}
