/// Where each item of a result stands, and how much of it is in sight; sizes in points.
struct ResultLayout: Equatable {
  static let viewport = Size(width: 375, height: 600)
  private static let listItemHeight = 120.0
  private static let bannerHeight = 80.0
  private static let carouselItem = Size(width: 160, height: 200)

  struct Size: Equatable {
    var width: Double
    var height: Double
  }

  private struct Frame {
    var x: Double
    var y: Double
    var size: Size
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
    offset = min(max(0, offset + points), max(0, contentHeight - Self.viewport.height))
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
    for (position, frame) in frames {
      let fraction =
        Self.overlap(frame.x, frame.size.width, Self.viewport.width)
        * Self.overlap(frame.y, frame.size.height, Self.viewport.height)
      if fraction > 0 { fractions[position] = fraction }
    }
    return fractions
  }

  private var contentHeight: Double {
    modules.map(Self.height).reduce(0, +)
  }

  /// Frames relative to the viewport.
  private var frames: [(ItemPosition, Frame)] {
    var top = -offset
    var frames: [(ItemPosition, Frame)] = []
    for (index, module) in modules.enumerated() {
      for item in module.items.indices {
        frames.append(
          (ItemPosition(module: index, item: item), frame(item, of: index, top: top)))
      }
      top += Self.height(of: module)
    }
    return frames
  }

  private func frame(_ item: Int, of module: Int, top: Double) -> Frame {
    let width = Self.viewport.width
    switch modules[module].layout {
    case .list:
      return Frame(
        x: 0, y: top + Double(item) * Self.listItemHeight,
        size: Size(width: width, height: Self.listItemHeight))
    case .carousel:
      let x = Double(item) * Self.carouselItem.width - carouselOffsets[module, default: 0]
      return Frame(x: x, y: top, size: Self.carouselItem)
    case .banner:
      return Frame(
        x: 0, y: top + Double(item) * Self.bannerHeight,
        size: Size(width: width, height: Self.bannerHeight))
    }
  }

  private static func height(of module: SearchModule) -> Double {
    switch module.layout {
    case .list: Double(module.items.count) * listItemHeight
    case .carousel: carouselItem.height
    case .banner: Double(module.items.count) * bannerHeight
    }
  }

  /// How much of `length` from `start` lies between 0 and `end`, as a fraction.
  private static func overlap(_ start: Double, _ length: Double, _ end: Double) -> Double {
    max(0, min(start + length, end) - max(start, 0)) / length
  }
}
