import SourceText
import Testing

@Suite("Edits of a text")
struct TextEditTests {
  @Test("change their places, in whatever order they come, and leave every other byte")
  func apply() {
    let file = SourceFile(path: "a.json", text: "{\r\n\t\"a\": 1 // é\r\n}")
    func edit(_ text: String, _ range: Range<Int>) -> TextEdit {
      TextEdit(text, at: SourceLocation(file: file, range: range))
    }
    let edited = TextEdit.applying(
      [edit("2", 9..<10), edit("\"b\": 0, ", 4..<4), edit("", 0..<1)], to: file)
    #expect(String(decoding: edited, as: UTF8.self) == "\r\n\t\"b\": 0, \"a\": 2 // é\r\n}")
  }
}

@Suite("A position in a long line") struct LongLineTests {
  @Test(
    "is what counting from the line's start says, and is found at once", .timeLimit(.minutes(10)))
  func columns() {
    let piece = "x é\u{301}e\u{301} 👩‍👩‍👧 \u{301}yz"
    let text = "first\r\n" + String(repeating: piece, count: 20_000) + "\n" + piece
    let file = SourceFile(path: "a.json", text: text)
    let start = "first\r\n".utf8.count
    let step = piece.utf8.count
    #expect(file.position(at: start + 19_999 * step).column == 19_999 * piece.count + 1)
    for number in stride(from: 0, to: 20_000, by: 7) {
      #expect(
        file.position(at: start + number * step)
          == SourcePosition(line: 2, column: number * piece.count + 1))
    }
    #expect(file.position(at: file.bytes.count).line == 3)
  }
}
