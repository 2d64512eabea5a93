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

  private func error(_ path: String) throws -> RPCError? {
    let query = ElementQuery(path: try ElementPath(path), screen: screen)
    return #expect(throws: RPCError.self) { try query.match() }
  }

  @Test(
    "no match names the closest paths, also where one segment alone is wrong",
    arguments: [
      ("MyItemCell[0]/catButton", ["MyItemCell[0]/cartButton"]),
      ("MyItemCell[0]/buyButton", ["MyItemCell[0]/cartButton"]),
      ("MyItmCell[1]/cartButton", ["MyItemCell[1]/cartButton"]),
      ("Rot/MyItemCell[0]/title", ["Root/MyItemCell[0]/title"]),
      ("cell:cartButton", ["cartButton"]),
      ("outer/cell:icon", ["outer/icon"]),
      ("MyItemCell[0]/icon", ["outer/icon", "Root/icon"]),
      ("carButton", ["cartButton"]),
      ("Rott/MyItmCell", ["MyItemCell"]),
      ("checkoutBanner", []),
    ] as [(String, [String])])
  func closest(path: String, closest: [String]) throws {
    let error = try error(path)
    #expect(error?.code == .elementNotFound)
    #expect(error?.data?["closest"] == .strings(closest))
    let names = closest.map { "\"\($0)\"" }.joined(separator: ", ")
    let hint = closest.isEmpty ? "" : " Closest on screen: \(names)."
    #expect(error?.message == "No element \"\(path)\" is on screen.\(hint)")
    #expect(error?.data?["onScreen"]?.array?.count == 10)
  }

  @Test(
    "an index that is too high is told with how many there are",
    arguments: [
      ("MyItemCell[7]", "There are 2 of \"MyItemCell\": [0] to [1]."),
      ("Root/MyItemCell[2]/cartButton", "There are 2 of \"Root/MyItemCell\": [0] to [1]."),
      ("MyItemCell[0]/cartButton[1]", "There is 1 of \"MyItemCell[0]/cartButton\": [0]."),
    ])
  func indexOutOfRange(path: String, hint: String) throws {
    #expect(try error(path)?.message == "No element \"\(path)\" is on screen. \(hint)")
  }

  @Test("several matches without an index are listed")
  func ambiguous() throws {
    let query = ElementQuery(path: try ElementPath("cartButton"), screen: screen)
    let error = #expect(throws: RPCError.self) { try query.match() }
    #expect(error?.code == .ambiguousElement)
    #expect(error?.data?["matches"] == ["MyItemCell[0]/cartButton", "MyItemCell[1]/cartButton"])
    #expect(error?.message.contains("Name one of them, as \"MyItemCell[0]/cartButton\".") == true)
  }
}
