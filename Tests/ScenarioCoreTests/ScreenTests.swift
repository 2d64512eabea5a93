import HarnessProtocol
import Testing

@testable import ScenarioCore

@Suite("A screen in the trace")
struct ScreenTests {
  private static func cell(_ label: String, _ children: ScreenElement...) -> ScreenElement {
    ScreenElement(type: "Cell", identifier: "cell", label: label, children: children)
  }

  private static func text(_ identifier: String, _ label: String = "") -> ScreenElement {
    ScreenElement(type: "StaticText", identifier: identifier, label: label)
  }

  private static func outline(_ elements: ScreenElement...) -> ScreenOutline {
    ScreenOutline(Screen([ScreenElement(type: "Window", identifier: "root", children: elements)]))
  }

  @Test("names each element by the shortest path that means it alone")
  func paths() {
    let list = ScreenElement(
      type: "Table", identifier: "list",
      children: [
        Self.cell("a", Self.text("title"), Self.text("a/b")), Self.cell("b", Self.text("title")),
      ])
    let header = ScreenElement(
      type: "Other", identifier: "header", children: [Self.text("close"), Self.text("")])
    let outline = Self.outline(list, header, Self.text("close"), Self.text("close"))
    #expect(
      outline.entries.map { $0.path?.description } == [
        "root", "list", "cell[0]", "cell[0]/title", #"a\/b"#, "cell[1]", "cell[1]/title", "header",
        "header/close", nil, "close[1]", "close[2]",
      ])
  }

  @Test("knows what can't be seen or used because of what holds it")
  func inherited() {
    var list = ScreenElement(type: "Table", children: [Self.cell("a")])
    (list.isVisible, list.isEnabled) = (false, false)
    let entries = Self.outline(list).entries
    #expect(entries.map(\.isVisible) == [true, false, false])
    #expect(entries.map(\.isEnabled) == [true, false, false])
  }

  @Test("keeps the numbers of its paths when others come and go")
  func numbers() {
    var numbers = ElementNumbers()
    numbers.add(Self.outline(Self.text("a"), Self.text("b")))
    numbers.add(Self.outline(Self.text("c"), Self.text("b")))
    #expect((1...5).map { numbers.path($0)?.description } == ["root", "a", "b", "c", nil])
    #expect(numbers.path(0) == nil)
  }

  private func changes(_ old: [ScreenElement], _ new: [ScreenElement]) -> ScreenChanges {
    ScreenChanges(from: ScreenOutline(Screen(old)), to: ScreenOutline(Screen(new)))
  }

  @Test("is compared with the one before: nothing changed")
  func same() {
    let screen = [Self.cell("a", Self.text("title"))]
    #expect(changes(screen, screen).isEmpty)
    #expect(changes([], []).isEmpty)
  }

  @Test("is compared with the one before: a row that comes first leaves the others as they were")
  func insertion() {
    let old = [Self.cell("b"), Self.cell("c")]
    let inserted = changes(old, [Self.cell("a")] + old)
    #expect(inserted.appeared == [0])
    #expect(inserted.disappeared.isEmpty && inserted.changed.isEmpty)
    let removed = changes(old, [Self.cell("c")])
    #expect(removed.disappeared == [0])
    #expect(removed.appeared.isEmpty && removed.changed.isEmpty)
  }

  @Test("is compared with the one before: each property of an element, and of what it holds")
  func properties() {
    let plain = Self.text("t", "a")
    let edits: [(inout ScreenElement) -> Void] = [
      { $0.label = "b" }, { $0.value = "" }, { $0.isEnabled = false }, { $0.isVisible = false },
    ]
    for edit in edits {
      var new = plain
      edit(&new)
      let found = changes([Self.cell("x", plain)], [Self.cell("x", new)])
      #expect(found.changed == [.init(old: 1, new: 1)])
      #expect(found.appeared.isEmpty && found.disappeared.isEmpty)
    }
  }

  @Test("is compared with the one before: another screen in its place")
  func replacement() {
    let found = changes(
      [ScreenElement(type: "Other", identifier: "list", children: [Self.text("t")])],
      [ScreenElement(type: "Other", identifier: "detail", children: [Self.text("t")])])
    #expect(found.disappeared == [0] && found.appeared == [0])
    #expect(found.after.subtree(of: 0) == 0..<2)
    #expect(found.changed.isEmpty)
  }

  @Test("is compared with the one before: an element of another type is another one")
  func types() {
    let found = changes(
      [Self.text("t", "a")], [ScreenElement(type: "Button", identifier: "t", label: "a")])
    #expect(found.disappeared == [0] && found.appeared == [0])
  }
}
