import AppHarness
import Testing

@testable import DemoApp

@MainActor @Suite("What has been seen is told once", .timeLimit(.minutes(10)))
struct ExposureMonitorTests {
  private let clock = VirtualClock()
  private let log = Log()
  private let monitor: ExposureMonitor<Int>

  @MainActor final class Log {
    var told: [Int] = []
  }

  init() {
    monitor = ExposureMonitor(clock: clock) { [log] in log.told.append($0) }
  }

  @Test("half of it, for one second")
  func half() async {
    monitor.update([1: 0.5, 2: 0.49])
    await clock.advance(to: .seconds(1))
    await until { !log.told.isEmpty }
    monitor.update([1: 0.5, 2: 0.5])
    await clock.advance(to: .seconds(2))
    await until { log.told.count >= 2 }
    #expect(log.told == [1, 2])
  }

  @Test("moving below the half and back isn't a second exposure")
  func jitter() async {
    monitor.update([1: 1])
    await clock.advance(to: .seconds(1))
    await until { log.told == [1] }
    monitor.update([1: 0.1])
    monitor.update([1: 1, 2: 1])
    await clock.advance(to: .seconds(2))
    await until { log.told.count >= 2 }
    #expect(log.told == [1, 2])
  }

  @Test("moving below the half before the second is up starts it over")
  func startsOver() async {
    monitor.update([1: 1])
    await until { clock.nextDeadline != nil }
    clock.pass(to: .milliseconds(900))
    monitor.update([1: 0.3])
    monitor.update([1: 1])
    await clock.advance(to: .milliseconds(1900))
    await until { log.told == [1] }
  }

  @Test(
    "out of sight and back, or ended by the screen, it is told again", arguments: [true, false])
  func again(isEndedByScreen: Bool) async {
    monitor.update([1: 1])
    await clock.advance(to: .seconds(1))
    await until { log.told == [1] }
    if isEndedByScreen { monitor.endAll() } else { monitor.update([:]) }
    monitor.update([1: 1])
    await clock.advance(to: .seconds(2))
    await until { log.told == [1, 1] }
  }

  @Test("what leaves before its second is up is never told")
  func tooShort() async {
    monitor.update([1: 1])
    await until { clock.nextDeadline != nil }
    monitor.update([2: 1])
    await until { clock.nextDeadline != nil }
    clock.pass(to: .seconds(10))
    await until { !log.told.isEmpty }
    #expect(log.told == [2])
  }
}
