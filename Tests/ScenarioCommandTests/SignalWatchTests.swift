import Foundation
import ScenarioRunner
import Testing

@testable import ScenarioCommand

@Suite("Signals", .serialized)
struct SignalWatchTests {
  @Test("are seen from the moment on at which they are watched for", arguments: 1...20)
  func early(round: Int) throws {
    let cancellation = Cancellation()
    try cancellation.open()
    let watch = try SignalWatch(
      cancellation: cancellation, signals: [SIGUSR2], tell: {}, killApps: {})
    kill(getpid(), SIGUSR2)
    var event = pollfd(fd: cancellation.descriptor, events: Int16(POLLIN), revents: 0)
    #expect(poll(&event, 1, 600_000) == 1)
    #expect(cancellation.cancellingSignal == SIGUSR2)
    watch.stop()
  }
}
