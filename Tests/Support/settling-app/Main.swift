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
    case "earlyAfter": DispatchQueue.global().asyncAfter(deadline: .now() + 60) {}
    case "earlySource": DispatchSource.makeTimerSource().activate()
    case "earlyTimer": _ = Timer.scheduledTimer(withTimeInterval: 60, repeats: false) { _ in }
    case "earlyLoop": RunLoop.main.perform {}
    case "earlyAlarm": alarm(60)
    case "earlyWait": usleep(1)
    case "earlyWork":
      let hasRun = DispatchSemaphore(value: 0)
      DispatchQueue.global().async { hasRun.signal() }
      hasRun.wait()
    default: break
    }
    Harness.run(name: "settling-app", version: "1") { launch in SettlingHarness(launch) }
  }
}
