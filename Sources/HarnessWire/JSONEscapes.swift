/// The escapes in JSON strings.
enum JSONEscapes {
  /// The length of the escape at the beginning of the bytes, both halves of a surrogate pair
  /// included; `nil` where it is none, or stands for no character.
  static func length(of bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    guard bytes.count >= 2 else { return nil }
    if bytes[1] != UInt8(ascii: "u") { return simple(bytes[1]) == nil ? nil : 2 }
    guard let unit = codeUnit(bytes) else { return nil }
    if UTF16.isTrailSurrogate(unit) { return nil }
    guard UTF16.isLeadSurrogate(unit) else { return 6 }
    guard let trail = codeUnit(.init(rebasing: bytes[6...])), UTF16.isTrailSurrogate(trail) else {
      return nil
    }
    return 12
  }

  /// The bytes that a string with escapes stands for. The escapes have been checked.
  static func decoded(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var decoded: [UInt8] = []
    decoded.reserveCapacity(bytes.count)
    bytes.withUnsafeBufferPointer { bytes in
      var index = 0
      while index < bytes.count {
        if bytes[index] != UInt8(ascii: "\\") {
          decoded.append(bytes[index])
          index += 1
          continue
        }
        let rest = UnsafeBufferPointer(rebasing: bytes[index...])
        let length = length(of: rest) ?? 1
        append(rest, length: length, to: &decoded)
        index += length
      }
    }
    return decoded
  }

  private static func append(
    _ escape: UnsafeBufferPointer<UInt8>, length: Int, to decoded: inout [UInt8]
  ) {
    if length == 2 {
      if let byte = simple(escape[1]) { decoded.append(byte) }
      return
    }
    let units = [codeUnit(escape)] + (length == 12 ? [codeUnit(.init(rebasing: escape[6...]))] : [])
    decoded.append(contentsOf: String(decoding: units.compactMap { $0 }, as: UTF16.self).utf8)
  }

  private static func codeUnit(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt16? {
    guard bytes.count >= 6, bytes[0] == UInt8(ascii: "\\"), bytes[1] == UInt8(ascii: "u") else {
      return nil
    }
    var unit: UInt16 = 0
    for byte in bytes[2..<6] {
      guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
      unit = unit << 4 | UInt16(digit)
    }
    return unit
  }

  private static func simple(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): byte
    case UInt8(ascii: "b"): 0x08
    case UInt8(ascii: "f"): 0x0C
    case UInt8(ascii: "n"): 0x0A
    case UInt8(ascii: "r"): 0x0D
    case UInt8(ascii: "t"): 0x09
    default: nil
    }
  }
}
