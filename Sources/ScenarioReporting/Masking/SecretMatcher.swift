/// Finds secrets in bytes, also where some of their characters are escaped as in a URL, in JSON, in
/// XML or in Swift.
struct SecretMatcher: Sendable {
  struct Pattern: Sendable {
    enum Place: Sendable {
      case anywhere
      /// Where no letter or digit stands beside it.
      case wholeWord
      case inQuotes
    }

    var bytes: [UInt8]
    /// Where it counts.
    var place = Place.anywhere
    /// Whether line breaks may part it.
    var isBase64 = false
  }

  /// Where a text was cut, so that a part of a secret may stand there.
  struct Cut: OptionSet {
    let rawValue: Int
    static let before = Cut(rawValue: 1)
    static let after = Cut(rawValue: 2)
  }

  private let patterns: [Pattern]
  /// By the byte with which a match can begin.
  private let starts: [[Int]]

  init(_ patterns: [Pattern]) {
    self.patterns = patterns
    var starts = [[Int]](repeating: [], count: 256)
    for (index, pattern) in patterns.enumerated() {
      let openers = Set([pattern.bytes[0]] + Escapes.openers)
      for byte in openers { starts[Int(byte)].append(index) }
    }
    self.starts = starts
  }

  var isEmpty: Bool { patterns.isEmpty }

  /// The ranges that secrets take, in order, none touching another.
  func ranges(in text: UnsafeBufferPointer<UInt8>, cut: Cut = []) -> [Range<Int>] {
    guard !patterns.isEmpty else { return [] }
    var ranges: [Range<Int>] = []
    if cut.contains(.before), let end = endOfRest(in: text) { ranges.append(0..<end) }
    for start in text.indices where !starts[Int(text[start])].isEmpty {
      let ends = starts[Int(text[start])].compactMap {
        self.end(of: $0, in: text, from: start, cut)
      }
      guard let end = ends.max() else { continue }
      if let last = ranges.last, start <= last.upperBound {
        ranges[ranges.count - 1] = last.lowerBound..<max(end, last.upperBound)
      } else {
        ranges.append(start..<end)
      }
    }
    return ranges
  }

  private func end(
    of index: Int, in text: UnsafeBufferPointer<UInt8>, from start: Int, _ cut: Cut
  ) -> Int? {
    let pattern = patterns[index]
    var attempt = MatchAttempt(
      pattern: pattern, text: text, isCutAfter: cut.contains(.after))
    guard let end = attempt.end(from: start) else { return nil }
    let before = start > 0 ? text[start - 1] : nil
    let after = end < text.count ? text[end] : nil
    let counts =
      switch pattern.place {
      case .anywhere: true
      case .wholeWord: before?.isWordByte != true && after?.isWordByte != true
      case .inQuotes:
        before == UInt8(ascii: "\"")
          && (after == UInt8(ascii: "\"") || text[end...].starts(with: "…".utf8))
      }
    return counts ? end : nil
  }

  /// The end of what is left of a secret whose beginning was cut off.
  private func endOfRest(in text: UnsafeBufferPointer<UInt8>) -> Int? {
    patterns.filter { $0.place == .anywhere }.compactMap { pattern in
      (1..<max(1, pattern.bytes.count - SecretForms.shortestPart + 1)).lazy.compactMap { dropped in
        var rest = pattern
        rest.bytes.removeFirst(dropped)
        var attempt = MatchAttempt(pattern: rest, text: text, isCutAfter: false)
        return attempt.end(from: 0)
      }.first
    }.max()
  }
}

extension UInt8 {
  /// An ASCII letter or digit, or a part of another character.
  var isWordByte: Bool {
    switch self {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x80...: true
    default: false
    }
  }
}
