import HarnessProtocol
import Testing

@testable import AppHarness

@MainActor @Suite("An element is found by its path")
struct ElementQueryTests {
  private let screen = Element(
    .window, "Root",
    children: [
      Element(
        .cell, "MyItemCell",
        children: [Element(.button, "cartButton"), Element(.staticText, "title", label: "A")]),
      Element(
        .cell, "MyItemCell",
        children: [Element(.button, "cartButton"), Element(.staticText, "title", label: "B")]),
      Element(
        .group, "outer",
        children: [Element(.group, "outer", children: [Element(.image, "icon")])]),
    ])

  private func matches(_ path: String) throws -> [[Int]] {
    ElementQuery(path: try ElementPath(path), screen: screen).matches().map(\.position)
  }

  @Test(
    "each segment is any descendant of the one before",
    arguments: [
      ("MyItemCell", [[0], [1]]),
      ("MyItemCell[1]", [[1]]),
      ("MyItemCell[1]/cartButton", [[1, 0]]),
      ("cartButton", [[0, 0], [1, 0]]),
      ("Root/cartButton[0]", [[0, 0]]),
      ("Root", [[]]),
      ("button:cartButton[1]", [[1, 0]]),
      ("cell:cartButton", []),
      ("outer/icon", [[2, 0, 0]]),
      ("MyItemCell[2]", []),
      ("cartButton/MyItemCell", []),
    ] as [(String, [[Int]])])
  func paths(path: String, positions: [[Int]]) throws {
    #expect(try matches(path) == positions)
  }

  @Test("no match names the closest identifiers and what is on screen")
  func notFound() throws {
    let query = ElementQuery(path: try ElementPath("MyItemCell[0]/catButton"), screen: screen)
    let error = #expect(throws: RPCError.self) { try query.match() }
    #expect(error?.code == .elementNotFound)
    #expect(
      error?.message
        == "No element \"MyItemCell[0]/catButton\" is on screen. Closest on screen: \"cartButton\"."
    )
    #expect(error?.data?["onScreen"]?.array?.count == 10)
  }

  @Test("several matches without an index are listed")
  func ambiguous() throws {
    let query = ElementQuery(path: try ElementPath("cartButton"), screen: screen)
    let error = #expect(throws: RPCError.self) { try query.match() }
    #expect(error?.code == .ambiguousElement)
    #expect(
      error?.data?["matches"]
        == ["0: Root/MyItemCell/cartButton", "1: Root/MyItemCell/cartButton"])
  }
}
