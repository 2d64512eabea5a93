import SourceText

/// A text without what nobody sees of it: escape sequences of terminals, control and format
/// characters. Some reports leave them out, which would join what they part.
struct SeenText {
  private struct Piece {
    var start: Int
    var original: Int
  }

  private(set) var bytes: [UInt8] = []
  /// Places in the original text.
  private(set) var removed: [Range<Int>] = []
  private var pieces: [Piece] = []

  /// `nil` where all of the text is seen.
  init?(_ text: UnsafeBufferPointer<UInt8>) {
    var (place, start) = (0, 0)
    while place < text.count {
      guard let end = Self.endOfUnseen(in: text, at: place) else {
        place += 1
        continue
      }
      append(start..<place, of: text)
      removed.append(place..<end)
      (place, start) = (end, end)
    }
    guard !removed.isEmpty else { return nil }
    append(start..<text.count, of: text)
  }

  private mutating func append(_ range: Range<Int>, of text: UnsafeBufferPointer<UInt8>) {
    guard !range.isEmpty else { return }
    pieces.append(Piece(start: bytes.count, original: range.lowerBound))
    bytes += text[range]
  }

  /// Where a range that is not empty stands in the original text.
  func original(_ range: Range<Int>) -> Range<Int> {
    original(range.lowerBound)..<original(range.upperBound - 1) + 1
  }

  private func original(_ place: Int) -> Int {
    var (low, high) = (0, pieces.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if pieces[middle].start <= place { low = middle } else { high = middle }
    }
    return pieces[low].original + place - pieces[low].start
  }

  /// What was removed and would not be the same sequence any more once these ranges are masked.
  func broken(by ranges: [Range<Int>]) -> [Range<Int>] {
    var rest = ranges[...]
    return removed.filter { sequence in
      rest = rest.drop { $0.upperBound <= sequence.lowerBound }
      return rest.prefix { $0.lowerBound < sequence.upperBound }.contains { range in
        range.lowerBound <= sequence.lowerBound || range.upperBound >= sequence.upperBound
      }
    }
  }

  private static func endOfUnseen(
    in text: UnsafeBufferPointer<UInt8>, at place: Int
  ) -> Int? {
    switch text[place] {
    case 0x20..<0x7F, UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"): return nil
    case 0x80..<0xC2: return nil
    default: break
    }
    if let end = TerminalEscapes.end(in: text, at: place) { return end }
    var bytes = text[place...].prefix(4).makeIterator()
    var parser = Unicode.UTF8.ForwardParser()
    guard case .valid(let scalar) = parser.parseScalar(from: &bytes),
      DisplayText.isDangerous(UTF8.decode(scalar))
    else { return nil }
    return place + scalar.count
  }
}
