import AppHarness

/// An app that does work of every kind that an app can start, and counts it.
@main
struct Main {
  static func main() {
    Harness.run(name: "settling-app", version: "1") { launch in SettlingHarness(launch) }
  }
}
