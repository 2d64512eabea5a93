import CAppWorld
import Foundation
import HarnessProtocol

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
    let environment = ProcessInfo.processInfo.environment
    let clock = VirtualClock(start: startDate(environment), elapsed: elapsed(environment))
    AppWorld.takeOver(clock: clock, seed: seed(environment))
    if let early = AppWorld.early {
      fail(
        "\(early). Call Harness.run first in main, and start the app in the closure that it calls")
    }
    guard ConcurrencyWatch.install(isSerial: environment[LaunchEnvironment.schedule] != nil) else {
      fail("the Swift runtime does not show its jobs, so nobody can tell when they are done")
    }
    let mainLoop = MainLoop()
    let launch = makeLaunch(environment, clock)
    launch.interceptSharedSession()
    let streams = DialogueStreams()
    let dialogue = Dialogue(
      identity: AppIdentity(name: name, version: version), launch: launch,
      settling: Settling(
        counter: .process, mainLoop: mainLoop,
        flush: launch.interceptor.flush, isWhole: AppWorld.isWhole, limit: .seconds(20)),
      answers: streams.answers, start: start)
    Thread.detachNewThread {
      appworld_enter_kit()
      dialogue.run(reading: LineInput(descriptor: streams.requests))
      streams.answers.finish()
      if let failure = launch.interceptor.recordingFailure {
        fail("a request could not be recorded: \(failure)")
      }
      // The app's objects are not torn down: its libraries may be in the middle of something.
      appworld_exit(EXIT_SUCCESS)
    }
    mainLoop.run()
  }

  private static func makeLaunch(
    _ environment: [String: String], _ clock: VirtualClock
  ) -> AppLaunch {
    let network = NetworkCondition(
      isOnline: environment[LaunchEnvironment.network] != NetworkState.offline.rawValue)
    let interceptor: RequestInterceptor
    do {
      interceptor = try RequestInterceptor(
        environment: environment, clock: clock, network: network, counter: .process,
        warn: { say($0) })
    } catch {
      fail("\(error)")
    }
    return AppLaunch(
      environment: AskedEnvironment(environment),
      arguments: Array(CommandLine.arguments.dropFirst()), clock: clock,
      network: network, work: WorkAnnouncements(counter: .process), interceptor: interceptor,
      fixtures: FixtureFolder(path: environment[LaunchEnvironment.fixturesDirectory]))
  }

  private static func startDate(_ environment: [String: String]) -> Date {
    let name = LaunchEnvironment.startDate
    let text = environment[name] ?? StartDate.defaultText
    guard let date = StartDate.date(text) else {
      fail("\(name) is \"\(text)\", not a date like \(StartDate.defaultText)")
    }
    return date
  }

  private static func elapsed(_ environment: [String: String]) -> Duration {
    let name = LaunchEnvironment.clock
    guard let text = environment[name] else { return .zero }
    guard let seconds = Double(text), seconds.isFinite, seconds >= 0 else {
      fail("\(name) is \"\(text)\", not a number of seconds")
    }
    return .seconds(seconds)
  }

  private static func seed(_ environment: [String: String]) -> UInt64 {
    let name = LaunchEnvironment.seed
    guard let text = environment[name] else { return 0 }
    guard let seed = UInt64(text) else {
      fail("\(name) is \"\(text)\", not a whole number below 2^64")
    }
    return seed
  }

  private static func fail(_ message: String) -> Never {
    say(message)
    appworld_exit(EXIT_FAILURE)
  }

  private static func say(_ message: String) {
    FileHandle.standardError.write(Data("harness: \(message)\n".utf8))
  }
}
