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
