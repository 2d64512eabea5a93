/// Where each item of a result stands, and how much of it is in sight; sizes in points.
struct ResultLayout: Equatable {
  static let viewport = Size(width: 375, height: 600)
  private static let listItem = Size(width: viewport.width, height: 120)
  private static let bannerItem = Size(width: viewport.width, height: 80)
  private static let carouselItem = Size(width: 160, height: 200)

  struct Size: Equatable {
    var width: Double
    var height: Double
  }

  private var modules: [SearchModule]
  /// How far the result has been scrolled.
  private(set) var offset = 0.0
  /// How far the items of each carousel have been moved, by the module's index.
  private var carouselOffsets: [Int: Double] = [:]

  init(_ modules: [SearchModule]) {
    self.modules = modules
  }

  var isAtTop: Bool { offset <= 0 }

  mutating func scroll(by points: Double) {
    let height = modules.map(Self.height).reduce(0, +)
    offset = min(max(0, offset + points), max(0, height - Self.viewport.height))
  }

  mutating func moveCarousel(_ module: Int, by points: Double) {
    guard modules.indices.contains(module), modules[module].layout == .carousel else { return }
    let width = Double(modules[module].items.count) * Self.carouselItem.width
    let moved = carouselOffsets[module, default: 0] + points
    carouselOffsets[module] = min(max(0, moved), max(0, width - Self.viewport.width))
  }

  /// How much of each item is in sight, from just above 0 to 1; what is out of sight is absent.
  var visibleFractions: [ItemPosition: Double] {
    var fractions: [ItemPosition: Double] = [:]
    var top = -offset
    for (index, module) in modules.enumerated() {
      for item in module.items.indices {
        let fraction = fraction(of: Double(item), in: index, below: top)
        if fraction > 0 { fractions[ItemPosition(module: index, item: item)] = fraction }
      }
      top += Self.height(of: module)
    }
    return fractions
  }

  /// How much of an item is in sight, where its module begins at `top`.
  private func fraction(of item: Double, in module: Int, below top: Double) -> Double {
    let size = Self.itemSize(in: modules[module])
    guard modules[module].layout == .carousel else {
      return Self.overlap(top + item * size.height, size.height, Self.viewport.height)
    }
    let x = item * size.width - carouselOffsets[module, default: 0]
    return Self.overlap(x, size.width, Self.viewport.width)
      * Self.overlap(top, size.height, Self.viewport.height)
  }

  private static func itemSize(in module: SearchModule) -> Size {
    switch module.layout {
    case .list: listItem
    case .carousel: carouselItem
    case .banner: bannerItem
    }
  }

  private static func height(of module: SearchModule) -> Double {
    let rows = module.layout == .carousel ? 1 : module.items.count
    return Double(rows) * itemSize(in: module).height
  }

  /// How much of `length` from `start` lies between 0 and `end`, as a fraction.
  private static func overlap(_ start: Double, _ length: Double, _ end: Double) -> Double {
    max(0, min(start + length, end) - max(start, 0)) / length
  }
}
