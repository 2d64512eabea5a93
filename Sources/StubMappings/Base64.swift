import Foundation

/// Base64, as people and tools write it: line breaks are fine, other strangers are not.
enum Base64 {
  /// - Returns: `nil` where the text is no base64.
  static func bytes(_ text: String) -> [UInt8]? {
    let compact = text.utf8.filter { ![0x0A, 0x0D, 0x20, 0x09].contains($0) }
    return Data(base64Encoded: Data(compact)).map(Array.init)
  }
}
