/// Writes the strings of a store line.
enum JSONText {
  /// Appends a string with its quotes, escaped.
  static func append(_ text: String, to line: inout [UInt8]) {
    var text = text
    line.append(UInt8(ascii: "\""))
    text.withUTF8 { bytes in
      var start = 0
      for index in bytes.indices where isEscaped(bytes[index]) {
        line.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[start..<index]))
        appendEscape(of: bytes[index], to: &line)
        start = index + 1
      }
      line.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[start...]))
    }
    line.append(UInt8(ascii: "\""))
  }

  private static func isEscaped(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
  }

  private static func appendEscape(of byte: UInt8, to line: inout [UInt8]) {
    line.append(UInt8(ascii: "\\"))
    guard byte < 0x20 else { return line.append(byte) }
    line.append(contentsOf: "u00".utf8)
    line.append(hexDigits[Int(byte >> 4)])
    line.append(hexDigits[Int(byte & 15)])
  }

  private static let hexDigits = Array("0123456789abcdef".utf8)
}
