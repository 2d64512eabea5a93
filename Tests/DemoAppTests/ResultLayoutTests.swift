import Testing

@testable import DemoApp

@Suite("A result knows how much of each item is in sight")
struct ResultLayoutTests {
  private static let list = SearchModule(id: "A", layout: .list, items: items(8))
  private static let carousel = SearchModule(id: "B", layout: .carousel, items: items(6))
  private static let banner = SearchModule(id: "C", layout: .banner, items: items(1))

  private static func items(_ count: Int) -> [SearchItem] {
    (0..<count).map { SearchItem(id: "\($0)", title: "item \($0)", price: 1) }
  }

  private func fractions(_ layout: ResultLayout, module: Int = 0) -> [Int: Double] {
    let own = layout.visibleFractions.filter { $0.key.module == module }
    return Dictionary(uniqueKeysWithValues: own.map { ($0.key.item, $0.value) })
  }

  @Test("five items of a list fill the screen")
  func list() {
    let layout = ResultLayout([Self.list])
    #expect(fractions(layout) == [0: 1, 1: 1, 2: 1, 3: 1, 4: 1])
  }

  @Test("scrolling by half an item shows two halves")
  func halves() {
    var layout = ResultLayout([Self.list])
    layout.scroll(by: 60)
    #expect(fractions(layout) == [0: 0.5, 1: 1, 2: 1, 3: 1, 4: 1, 5: 0.5])
  }

  @Test("it scrolls no farther than its ends")
  func ends() {
    var layout = ResultLayout([Self.list])
    layout.scroll(by: 10_000)
    #expect(Set(fractions(layout).keys) == [3, 4, 5, 6, 7])
    layout.scroll(by: -10_000)
    #expect(layout.isAtTop)
  }

  @Test("what fits on the screen doesn't scroll")
  func short() {
    var layout = ResultLayout([Self.banner])
    layout.scroll(by: 600)
    #expect(fractions(layout) == [0: 1])
  }

  @Test("a carousel moves by itself, below other modules too")
  func carousel() {
    var layout = ResultLayout([Self.banner, Self.carousel])
    #expect(fractions(layout, module: 1) == [0: 1, 1: 1, 2: 55.0 / 160])
    layout.moveCarousel(1, by: 375)
    #expect(fractions(layout, module: 1) == [2: 105.0 / 160, 3: 1, 4: 110.0 / 160])
    layout.moveCarousel(1, by: 10_000)
    #expect(fractions(layout, module: 1) == [3: 55.0 / 160, 4: 1, 5: 1])
    #expect(fractions(layout) == [0: 1])
  }

  @Test("moving what isn't a carousel changes nothing", arguments: [0, 7])
  func noCarousel(module: Int) {
    var layout = ResultLayout([Self.banner])
    layout.moveCarousel(module, by: 100)
    #expect(layout == ResultLayout([Self.banner]))
  }
}
