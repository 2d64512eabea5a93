import SourceText
import Testing

@Suite("Positions in files")
struct SourceFileTests {
  static let texts = [
    "a\nbc\r\nd", "\u{FEFF}a\n\u{FEFF}b", "\u{FEFF}", "", "가나\n👩‍👩‍👧 é e\u{301}x\n",
    String(repeating: "ab 가", count: 1200), "x\r\n" + String(repeating: "\r\n", count: 1000),
    String(repeating: "é", count: 2500) + "x" + String(repeating: "abc", count: 2000),
  ]

  @Test("a piece of a file has the positions that it has in the whole", arguments: texts)
  func piece(text: String) {
    let whole = SourceFile(path: "a", text: text)
    var (offset, step) = (0, 1)
    while offset <= whole.bytes.count {
      let end = min(offset + 20, whole.bytes.count)
      let piece = whole.bytes.withUnsafeBufferPointer {
        SourceFile(path: "a", piece: offset..<end, of: $0)
      }
      #expect(piece.position(at: 0) == whole.position(at: offset), "\(offset)")
      #expect(piece.line(at: 0) == whole.line(at: offset), "\(offset)")
      let next = piece.bytes.firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 }
      if let next {
        #expect(piece.position(at: next) == whole.position(at: offset + next), "\(offset)")
        #expect(!piece.text(ofLine: whole.line(at: offset + next)).contains("\n"))
      }
      // All of the beginning, then some.
      offset += step
      if offset > 40 { step = 97 }
      while offset < whole.bytes.count, whole.bytes[offset] & 0xC0 == 0x80 { offset += 1 }
    }
  }
}
