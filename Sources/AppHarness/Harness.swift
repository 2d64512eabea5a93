import Foundation
import HarnessWire
import RequestStore

/// Runs an app's logic headless, under the runner's hands.
public enum Harness {
  /// Starts the app, answers the runner, and exits with 0 at the end of stdin.
  ///
  /// Call it first in a synchronous `main`: the kit keeps the main thread, to see what runs there.
  ///
  ///     @main struct Main {
  ///       static func main() {
  ///         Harness.run(name: "shop", version: "1.0") { launch in ShopHarness(launch) }
  ///       }
  ///     }
  ///
  /// - Parameter start: builds the app, on the main actor, when the runner says `initialize`; what
  ///   it throws is told to the runner.
  public static func run(
    name: String, version: String,
    start: @escaping @MainActor @Sendable (AppLaunch) throws -> any HarnessedApp
  ) -> Never {
    signal(SIGPIPE, SIG_IGN)
    guard ConcurrencyWatch.install() else {
      fail("the Swift runtime does not show its jobs, so nobody can tell when they are done")
    }
    let environment = ProcessInfo.processInfo.environment
    let mainLoop = MainLoop()
    let launch = makeLaunch(environment)
    let dialogue = Dialogue(
      identity: AppIdentity(name: name, version: version), launch: launch,
      settling: Settling(
        counter: .process, mainLoop: mainLoop,
        flush: launch.interceptor.flush, limit: .seconds(20)),
      answers: AnswerWriter(duplicating: STDOUT_FILENO), start: start)
    Thread.detachNewThread {
      dialogue.run(reading: LineInput(descriptor: STDIN_FILENO))
      if let failure = launch.interceptor.recordingFailure {
        fail("a request could not be recorded: \(failure)")
      }
      exit(EXIT_SUCCESS)
    }
    mainLoop.run()
  }

  private static func makeLaunch(_ environment: [String: String]) -> AppLaunch {
    let clock = VirtualClock(start: clockStart(environment))
    let network = NetworkCondition()
    let interceptor: RequestInterceptor
    do {
      interceptor = try RequestInterceptor(
        environment: environment, clock: clock, network: network, counter: .process,
        warn: { say($0) })
    } catch {
      fail("\(error)")
    }
    return AppLaunch(
      environment: environment, arguments: Array(CommandLine.arguments.dropFirst()), clock: clock,
      network: network, work: WorkAnnouncements(counter: .process), interceptor: interceptor,
      fixtures: FixtureFolder(path: environment[LaunchEnvironment.fixturesDirectory]))
  }

  private static func clockStart(_ environment: [String: String]) -> Date {
    let text = environment[KitEnvironment.clockStart] ?? "2026-01-01T00:00:00Z"
    guard let date = try? Date.ISO8601FormatStyle().parse(text) else {
      fail("\(KitEnvironment.clockStart) is \"\(text)\", not a date like 2026-01-01T00:00:00Z")
    }
    return date
  }

  private static func fail(_ message: String) -> Never {
    say(message)
    exit(EXIT_FAILURE)
  }

  private static func say(_ message: String) {
    FileHandle.standardError.write(Data("harness: \(message)\n".utf8))
  }
}
