extension JSONScanner {
  /// Whether the file can be read at all; bytes that aren't valid UTF-8 are reported one by one.
  mutating func checkEncoding() -> Bool {
    if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
      report("The file is UTF-16. Save it as UTF-8.", 0..<2)
      return false
    }
    guard let first = bytes.firstIndex(where: { $0 >= 0x80 }) else { return true }
    var offset = first
    while offset < bytes.count, diagnostics.count < 3 {
      let length = wellFormedLength(at: offset)
      if length == 0 {
        let hex = String(bytes[offset], radix: 16, uppercase: true)
        report("The byte 0x\(hex) isn't valid UTF-8. Save the file as UTF-8.", offset..<offset + 1)
        offset += 1
        while offset < bytes.count, bytes[offset] & 0xC0 == 0x80 { offset += 1 }
      } else {
        offset += length
      }
    }
    return diagnostics.isEmpty
  }

  /// The length of the character at an offset, by table 3-7 of the Unicode standard; 0: malformed.
  private func wellFormedLength(at offset: Int) -> Int {
    let first = bytes[offset]
    if first < 0x80 { return 1 }
    let second: ClosedRange<UInt8>
    let length: Int
    switch first {
    case 0xC2...0xDF: (second, length) = (0x80...0xBF, 2)
    case 0xE0: (second, length) = (0xA0...0xBF, 3)
    case 0xED: (second, length) = (0x80...0x9F, 3)
    case 0xE1...0xEF: (second, length) = (0x80...0xBF, 3)
    case 0xF0: (second, length) = (0x90...0xBF, 4)
    case 0xF1...0xF3: (second, length) = (0x80...0xBF, 4)
    case 0xF4: (second, length) = (0x80...0x8F, 4)
    default: return 0
    }
    guard offset + length <= bytes.count, second.contains(bytes[offset + 1]) else { return 0 }
    return bytes[offset + 2..<offset + max(2, length)].allSatisfy { $0 & 0xC0 == 0x80 } ? length : 0
  }
}
