/// A quotation mark with the backslashes before it: `"`, or `\"` where JSON stands in JSON.
struct Quote: Equatable {
  private var mark: UInt8
  private var backslashes: Int
  private var start: Int

  var length: Int { backslashes + 1 }
  var end: Int { start + length }

  /// The one that begins at a place.
  init?(in text: UnsafeBufferPointer<UInt8>, at start: Int) {
    var place = start
    while place < text.count, text[place] == UInt8(ascii: "\\") { place += 1 }
    guard place < text.count, Self.isMark(text[place]) else { return nil }
    self.start = start
    mark = text[place]
    backslashes = place - start
  }

  /// The one that ends before a place.
  init?(before end: Int, in text: UnsafeBufferPointer<UInt8>) {
    guard end > 0, Self.isMark(text[end - 1]) else { return nil }
    var start = end - 1
    while start > 0, text[start - 1] == UInt8(ascii: "\\") { start -= 1 }
    self.start = start
    mark = text[end - 1]
    backslashes = end - 1 - start
  }

  func moved(to start: Int) -> Quote {
    var moved = self
    moved.start = start
    return moved
  }

  /// Whether one like this stands before a place.
  func ends(before place: Int, in text: UnsafeBufferPointer<UInt8>) -> Bool {
    Quote(before: place, in: text)?.moved(to: start) == self
  }

  /// Where the string ends that this one opens: at its like, which no further backslash escapes; at
  /// the end of the line where there is none.
  func endOfString(in text: UnsafeBufferPointer<UInt8>) -> Int {
    var place = end
    while place < text.count, text[place] != UInt8(ascii: "\n") {
      if let other = Quote(in: text, at: place) {
        let isEnd =
          other.mark == mark
          && (backslashes == 0
            ? other.backslashes.isMultiple(of: 2) : other.backslashes == backslashes)
        if isEnd { return other.end - length }
        place = other.end
      } else {
        place += 1
      }
    }
    return place
  }

  private static func isMark(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'")
  }
}
