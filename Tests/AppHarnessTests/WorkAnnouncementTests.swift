import Testing

@testable import AppHarness

@Suite("Announced work keeps the app from being idle")
struct WorkAnnouncementTests {
  private struct Failure: Error {}

  private let counter = WorkCounter()
  private var work: WorkAnnouncements { WorkAnnouncements(counter: counter) }

  @Test("from its beginning to its end, which may come twice")
  func token() {
    let token = work.begin()
    #expect(!counter.isIdle)
    token.end()
    token.end()
    #expect(counter.isIdle)
  }

  @Test("for as long as a call takes")
  func call() {
    let isIdle = work.during { counter.isIdle }
    #expect(!isIdle && counter.isIdle)
    #expect(throws: Failure.self) { try work.during { throw Failure() } }
    #expect(counter.isIdle)
  }

  @Test("for as long as asynchronous work takes, while it is suspended too")
  func asynchronousCall() async {
    let (stream, continuation) = AsyncStream.makeStream(of: Bool.self)
    let waiting = Task { [work] in
      await work.during { await stream.first { _ in true } }
    }
    while counter.isIdle { await Task.yield() }
    continuation.yield(true)
    #expect(await waiting.value == true)
    #expect(counter.isIdle)
    await #expect(throws: Failure.self) {
      try await work.during {
        await Task.yield()
        throw Failure()
      }
    }
    #expect(counter.isIdle)
  }

  @MainActor @Test("on the caller's actor")
  func isolation() async {
    var steps: [String] = []
    await work.during {
      await Task.yield()
      steps.append("worked")
    }
    #expect(steps == ["worked"])
  }
}
