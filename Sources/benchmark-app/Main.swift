import AppHarness
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A small app with the kit: one screen, one button, one tracking request.
@main
struct Main {
  static func main() {
    Harness.run(name: "benchmark-app", version: "1.0") { launch in SmallApp(launch) }
  }
}

final class SmallApp: HarnessedApp {
  private let session: URLSession

  init(_ launch: AppLaunch) {
    session = URLSession(configuration: launch.sessionConfiguration())
  }

  var screen: Element {
    Element(
      .window, "CartViewController",
      children: [Element(.button, "cartButton").onTap { self.track() }])
  }

  private func track() {
    guard let url = URL(string: "https://ad.example.com/click?ad=A-1&area=cart") else { return }
    session.dataTask(with: url).resume()
  }
}
