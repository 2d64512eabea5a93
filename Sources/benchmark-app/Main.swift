import AppHarness
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A small app with the kit: one screen, one button, one tracking request; with the arguments `-upload WAY FILE`
/// the button sends the file.
@main
struct Main {
  static func main() {
    Harness.run(name: "benchmark-app", version: "1.0") { launch in SmallApp(launch) }
  }
}

final class SmallApp: HarnessedApp {
  private let session: URLSession
  private let arguments: [String]

  init(_ launch: AppLaunch) {
    session = URLSession(configuration: launch.sessionConfiguration())
    arguments = launch.arguments
  }

  var screen: Element {
    Element(
      .window, "CartViewController",
      children: [Element(.button, "cartButton").onTap { self.track() }])
  }

  private func track() {
    guard let url = URL(string: "https://ad.example.com/click?ad=A-1&area=cart") else { return }
    guard arguments.count == 3 else { return session.dataTask(with: url).resume() }
    upload(to: url, arguments[1], URL(filePath: arguments[2]))
  }

  private func upload(to url: URL, _ way: String, _ file: URL) {
    var request = URLRequest(url: url)
    request.httpMethod = "POST"
    switch way {
    case "data":
      guard let data = try? Data(contentsOf: file) else { return }
      session.uploadTask(with: request, from: data).resume()
    case "body":
      request.httpBody = try? Data(contentsOf: file)
      session.dataTask(with: request).resume()
    case "stream":
      request.httpBodyStream = InputStream(url: file)
      session.dataTask(with: request).resume()
    default: session.uploadTask(with: request, fromFile: file).resume()
    }
  }
}
