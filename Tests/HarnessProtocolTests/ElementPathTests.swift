import Testing

@testable import HarnessProtocol

@Suite struct ElementPathTests {
  @Test("Segments have a type, an identifier and an index")
  func whole() throws {
    let path = try ElementPath(#"SearchViewController/cell:한글 Cell[12]/a\/b\:c\[0\]\\"#)
    #expect(
      path.segments == [
        .init(identifier: "SearchViewController"),
        .init(type: "cell", identifier: "한글 Cell", index: 12),
        .init(identifier: #"a/b:c[0]\"#),
      ])
    #expect(path.description == #"SearchViewController/cell:한글 Cell[12]/a\/b\:c\[0\]\\"#)
  }

  @Test(
    "What isn't a path is refused, with its place",
    arguments: [
      ("", 0..<0, "The element path is empty."),
      (
        "/a", 0..<1,
        "A segment of the element path is empty. Remove the \"/\" that is one too many."
      ),
      (
        "a//b", 1..<2,
        "A segment of the element path is empty. Remove the \"/\" that is one too many."
      ),
      (
        "a/", 1..<2,
        "A segment of the element path is empty. Remove the \"/\" that is one too many."
      ),
      ("a[x]", 1..<4, "An index is a whole number in brackets, as \"[0]\"."),
      ("a[-1]", 1..<5, "An index is a whole number in brackets, as \"[0]\"."),
      ("a[0", 1..<3, "An index is a whole number in brackets, as \"[0]\"."),
      ("a[0]b", 4..<5, "After an index, \"/\" or the end is expected."),
      ("a]", 1..<2, "\"]\" closes nothing. An identifier that contains it has \"\\]\"."),
      ("[0]", 0..<3, "The segment has no identifier. Write one, as \"button:cart[0]\"."),
      (
        "2b:x", 0..<2,
        "A type, as \"button\", is wanted before \":\". An identifier that contains it has \"\\:\"."
      ),
      (#"a\b"#, 1..<2, "A backslash stands before \"/\", \":\", \"[\", \"]\" or \"\\\" only."),
    ])
  func refused(text: String, range: Range<Int>, message: String) {
    #expect(throws: ElementPathError(message: message, range: range)) { try ElementPath(text) }
  }
}
