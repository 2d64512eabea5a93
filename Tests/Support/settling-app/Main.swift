import AppHarness
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// An app that does work of every kind that an app can start, and counts it.
@main
struct Main {
  static func main() {
    switch CommandLine.arguments.dropFirst().first {
    case "earlyShared": _ = URLSession.shared
    case "earlyConfiguration": _ = URLSessionConfiguration.default
    default: break
    }
    Harness.run(name: "settling-app", version: "1") { launch in SettlingHarness(launch) }
  }
}
