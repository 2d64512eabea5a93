import Foundation

/// The apps that the runner is measured with.
enum SampleApp: String, CaseIterable {
  case small = "benchmark-app"
  case demo = "demo-app"
  case trivial = "trivial-app"

  var title: String {
    switch self {
    case .small: "a small app with the kit"
    case .demo: "the demo app"
    case .trivial: "a trivial app in C"
    }
  }

  func scenario(in folder: String) throws -> BenchmarkedScenario {
    let fixtures = folder + "/Fixtures"
    try FileManager.default.createDirectory(atPath: fixtures, withIntermediateDirectories: true)
    if self == .demo {
      try Self.module.write(
        toFile: fixtures + "/Module.json", atomically: false, encoding: .utf8)
    }
    return try BenchmarkedScenario(
      text, app: BenchmarkPrograms.path(rawValue), fixtures: fixtures, folder: folder)
  }

  private static let url = "https://ad.example.com/click?ad=A-1&area=cart"

  private var text: String {
    let url = Self.url
    switch self {
    case .small, .trivial:
      return """
        {
          "name": "A tap on the button sends its URL once",
          "actions": [{ "tap": "cartButton", "sends": [{ "url": "\(url)", "count": 1 }] }],
          "expected": [{ "url": "\(url)", "count": 1 }]
        }
        """
    case .demo:
      return """
        {
          "name": "Cart tap on an ad item sends its click URL once",
          "fixtures": { "FakeSearchResultResponse": "Module.json" },
          "actions": [
            { "tap": "SearchResultViewController/MyItemCell[0]/cartButton",
              "sends": [{ "url": "\(url)", "count": 1 }] },
            { "waitForExistence": "cartToast", "timeout": 2 }
          ],
          "expected": [
            { "url": "\(url)", "count": 1 },
            { "url": "https://ad.example.com/impression?ad=A-1", "count": 1 }
          ]
        }
        """
    }
  }

  /// What the demo app's fake search answers.
  private static let module = """
    {
      "modules": [
        {
          "id": "A", "layout": "list",
          "items": [
            {
              "id": "A-1", "title": "Oat drink, six bottles", "price": 11900,
              "tracking": {
                "impression": "https://ad.example.com/impression?ad=A-1",
                "click": "https://ad.example.com/click?ad=A-1&area=item",
                "cart": "\(url)"
              }
            },
            { "id": "G-1", "title": "Rye bread", "price": 4200 },
            { "id": "G-2", "title": "Sheep's cheese", "price": 8900 }
          ]
        }
      ]
    }
    """
}
