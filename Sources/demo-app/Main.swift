import AppHarness
import DemoApp
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@main
struct Main {
  static func main() {
    Harness.run(name: "demo-app", version: "1.0") { launch in try DemoHarness(launch) }
  }
}

/// Hands the launch to the app's composition root, and the runner's actions to the app.
final class DemoHarness: DeepLinkHandling, PushReceiving {
  private let app: ShopApp

  init(_ launch: AppLaunch) throws {
    let network = NetworkStatus(isOnline: launch.network.isOnline)
    launch.network.onChange { network.isOnline = $0 }
    let storage = try FileManager.default.url(
      for: .applicationSupportDirectory, in: .userDomainMask, appropriateFor: nil, create: false)
    let decoder = AnswerDecoder { launch.report($0, decoding: $1) }
    let options = try LaunchOptions(launch.arguments)
    var dependencies = try Dependencies(
      clock: launch.clock, now: launch.now, network: network, storage: storage,
      session: URLSession(configuration: launch.sessionConfiguration()),
      trackerSession: URLSession(configuration: launch.sessionConfiguration()),
      hasAnalytics: options.hasAnalytics, openURL: launch.open, decoder: decoder)
    if let json = try launch.fixture("FakeSearchResultResponse") {
      dependencies.search = FakeSearchRepository(json: json, decoder: decoder)
    }
    app = ShopApp(dependencies, options: options)
  }

  var screen: Element { app.window }

  var registeredActions: [String: RegisteredAction] {
    ["drag": { [app] in app.drag(by: $0["points"]?.double ?? 0) }]
  }

  func didEnterBackground() { app.didEnterBackground() }

  func willEnterForeground() { app.willEnterForeground() }

  func open(_ url: URL) { app.open(url) }

  func receive(_ payload: JSONValue, tapped: Bool) throws {
    app.receive(Data(payload.bytes()), tapped: tapped)
  }
}
