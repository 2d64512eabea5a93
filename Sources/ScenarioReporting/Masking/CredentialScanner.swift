/// Finds the values of credential headers in what an app wrote and in files: wherever a text has the
/// shape of such a header, in a log, in a command of curl, in JSON.
struct CredentialScanner {
  let text: UnsafeBufferPointer<UInt8>
  private var ranges: [Range<Int>] = []
  /// Where the last name in quotes stands that has been looked for a value before it.
  var lastNamed = 0
  /// The end of the last command of `curl`.
  var commandEnd = 0

  /// The ranges that values take, in order, none touching another.
  static func ranges(in text: UnsafeBufferPointer<UInt8>) -> [Range<Int>] {
    var scanner = CredentialScanner(text: text)
    scanner.scan()
    return scanner.ranges.merged()
  }

  private init(text: UnsafeBufferPointer<UInt8>) {
    self.text = text
  }

  private struct Name {
    var bytes: [UInt8]
    /// The offset of its rarest letter, by which it is looked for.
    var anchor: Int
    /// What may stand before it as a part of it.
    var prefix: [UInt8]
  }

  private static let authorization = Name(
    bytes: Array("authorization".utf8), anchor: 7, prefix: Array("proxy-".utf8))
  private static let cookie = Name(
    bytes: Array("cookie".utf8), anchor: 3, prefix: Array("set-".utf8))
  private static let curl = Array("curl".utf8)

  private mutating func scan() {
    var place = 0
    while place < text.count {
      let name: Name? =
        switch text[place] | 0x20 {
        case UInt8(ascii: "z"): Self.authorization
        case UInt8(ascii: "k"): Self.cookie
        default: nil
        }
      if let name, let range = nameRange(name, anchoredAt: place) {
        let known = ranges.count
        readValue(of: range)
        if ranges.count > known { place = max(place, ranges[ranges.count - 1].upperBound) }
      } else if text[place] == UInt8(ascii: "c"), place >= commandEnd, has(Self.curl, at: place) {
        readCurl(from: place)
      }
      place += 1
    }
  }

  /// Where the whole name stands, if it does.
  private func nameRange(_ name: Name, anchoredAt place: Int) -> Range<Int>? {
    var start = place - name.anchor
    let end = start + name.bytes.count
    guard has(name.bytes, at: start) else { return nil }
    if has(name.prefix, at: start - name.prefix.count) { start -= name.prefix.count }
    guard start == 0 || !isNamePart(text[start - 1]) else { return nil }
    return start..<end
  }

  func has(_ lowercase: [UInt8], at start: Int) -> Bool {
    guard start >= 0, start + lowercase.count <= text.count else { return false }
    return lowercase.indices.allSatisfy {
      text[start + $0] == lowercase[$0] || text[start + $0] | 0x20 == lowercase[$0]
    }
  }

  func isNamePart(_ byte: UInt8) -> Bool {
    byte.isWordByte || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
  }

  mutating func add(_ start: Int, _ end: Int) {
    if start < end { ranges.append(start..<end) }
  }
}
