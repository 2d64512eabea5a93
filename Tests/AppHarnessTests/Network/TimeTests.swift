import Foundation
import HarnessProtocol
import Synchronization
import Testing

@testable import AppHarness

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension InterceptorTests {
  @Suite("Delays and cancellation") struct TimeTests {
    static let slow = #"""
      {"mappings": [
        {"request": {"urlPath": "/slow"}, "response": {"body": "slow", "fixedDelayMilliseconds": 1500}},
        {"request": {"urlPath": "/fast"}, "response": {"body": "fast"}}
      ]}
      """#

    @Test("A delayed answer waits for the app's clock, and holds up nobody")
    func delay() async throws {
      let launch = try InterceptedLaunch(stubs: Self.slow)
      let session = launch.session()
      let answers = Lines()
      for path in ["slow", "fast"] {
        session.dataTask(with: url("https://h/\(path)")) { data, _, _ in
          answers.add(String(decoding: data ?? Data(), as: UTF8.self))
        }.resume()
      }
      await launch.rest()
      #expect(answers.all == ["fast"])
      #expect(try launch.records().count == 2)
      await launch.advance(by: .milliseconds(1499))
      #expect(answers.all == ["fast"])
      await launch.advance(by: .milliseconds(1))
      #expect(answers.all == ["fast", "slow"])
    }

    @Test(
      "A request times out on the app's clock, by its own limit or the session's, whatever its answer",
      arguments: [false, true])
    func timeout(isOfSession: Bool) async throws {
      let launch = try InterceptedLaunch(stubs: Self.slow)
      let session = URLSession(
        configuration: launch.configuration {
          if isOfSession { $0.timeoutIntervalForResource = 1 }
        })
      var request = URLRequest(url: url("https://h/slow"))
      if !isOfSession { request.timeoutInterval = 1 }
      let answers = Lines()
      session.dataTask(with: request) { _, _, error in
        answers.add("\((error as? URLError)?.code == .timedOut)")
      }.resume()
      await launch.rest()
      await launch.advance(by: .milliseconds(999))
      #expect(answers.all.isEmpty)
      await launch.advance(by: .milliseconds(1))
      #expect(answers.all == ["true"])
    }

    @Test("A request's end is recorded, and when it was sent by the app's clock")
    func ends() async throws {
      let launch = try InterceptedLaunch(
        stubs: Self.slow,
        #"""
        {"mappings": [
          {"request": {"urlPath": "/moved"}, "response": {"status": 302, "headers": {"Location": "/busy"}}},
          {"request": {"urlPath": "/busy"}, "response": {"status": 503}},
          {"request": {"urlPath": "/reset"}, "response": {"fault": "CONNECTION_RESET_BY_PEER"}},
          {"request": {"urlPath": "/lost"}, "response": {"urlError": "cannotFindHost"}}
        ]}
        """#)
      let session = launch.session()
      for path in ["moved", "reset", "lost", "none", "slow"] {
        session.dataTask(with: url("https://h/\(path)")) { _, _, _ in }.resume()
        await launch.rest()
        await launch.advance(by: .milliseconds(500))
      }
      await launch.network.set(isOnline: false)
      session.dataTask(with: url("https://h/off")) { _, _, _ in }.resume()
      await launch.rest()
      let ends: [String: RequestEnd] = [
        "moved": .status(302), "busy": .status(503), "reset": .error("networkConnectionLost"),
        "lost": .error("cannotFindHost"), "none": .status(200),
        "off": .error("notConnectedToInternet"),
      ]
      let records = try launch.records()
      let names = records.map { String($0.url.dropFirst("https://h/".count)) }
      #expect(names == ["moved", "busy", "reset", "lost", "none", "slow", "off"])
      #expect(records.map(\.end) == names.map { ends[$0] })
      #expect(records.map(\.clock) == [0, 0, 0.5, 1, 1.5, 2, 2.5])
      await launch.advance(by: .seconds(1))
      #expect(try launch.records()[5].end == .status(200))
    }

    @Test("A request without a scheme goes nowhere")
    func relativeURL() async throws {
      let launch = try InterceptedLaunch()
      let session = launch.session()
      let code = await errorCode { _ = try await session.data(from: url("/click")) }
      #expect(code == .unsupportedURL)
      #expect(try launch.lines().isEmpty)
    }

    @Test("A request that may only be answered by a cache goes nowhere", arguments: [false, true])
    func cacheOnly(isOfSession: Bool) async throws {
      let launch = try InterceptedLaunch()
      let session = URLSession(
        configuration: launch.configuration {
          if isOfSession { $0.requestCachePolicy = .returnCacheDataDontLoad }
        })
      var request = URLRequest(url: url("https://h/cached"))
      if !isOfSession { request.cachePolicy = .returnCacheDataDontLoad }
      let code = await errorCode { [request] in _ = try await session.data(for: request) }
      #expect(code == .resourceUnavailable)
      #expect(try launch.lines().isEmpty)
    }

    @Test("A cancelled request is recorded as cancelled, and gets no late answer")
    func cancellation() async throws {
      let launch = try InterceptedLaunch(stubs: Self.slow)
      let answers = Lines()
      let task = launch.session().dataTask(with: url("https://h/slow")) { data, _, error in
        answers.add(data == nil && (error as? URLError)?.code == .cancelled ? "cancelled" : "?")
      }
      task.resume()
      await launch.rest()
      task.cancel()
      await launch.rest()
      #expect(answers.all == ["cancelled"])
      await launch.advance(by: .seconds(2))
      #expect(answers.all == ["cancelled"])
      #expect(try launch.lines() == ["GET https://h/slow stub cancelled"])
    }

    @Test("The task that awaits a cancelled request ends with it")
    func taskCancellation() async throws {
      let launch = try InterceptedLaunch(stubs: Self.slow)
      let session = launch.session()
      let task = Task { _ = try await session.data(from: url("https://h/slow")) }
      while try launch.records().isEmpty { await Task.yield() }
      await launch.rest()
      task.cancel()
      #expect(await errorCode { try await task.value } == .cancelled)
      await launch.rest()
      #expect(try launch.lines() == ["GET https://h/slow stub cancelled"])
    }

    @Test("What can't be recorded is not answered, and makes the launch doubtful")
    func brokenStore() async throws {
      let launch = try InterceptedLaunch(stubs: Self.slow)
      let session = launch.session()
      let task = session.dataTask(with: url("https://h/slow"))
      task.resume()
      await launch.rest()
      try FileManager.default.removeItem(atPath: launch.folder)
      #expect(launch.interceptor.recordingFailure?.contains("was removed, renamed") == true)
      task.cancel()
      await launch.rest()
      let code = await errorCode { _ = try await session.data(from: url("https://h/fast")) }
      #expect(code == .cannotWriteToFile)
    }

    @Test("Cancelling what is answered already changes nothing")
    func lateCancellation() async throws {
      let launch = try InterceptedLaunch(stubs: Self.slow)
      let task = launch.session().dataTask(with: url("https://h/fast"))
      task.resume()
      await launch.rest()
      task.cancel()
      await launch.rest()
      #expect(try launch.lines() == ["GET https://h/fast stub"])
    }

    @Test("A task that is suspended meanwhile is neither cancelled nor sent again")
    func suspension() async throws {
      let launch = try InterceptedLaunch(stubs: Self.slow)
      let answers = Lines()
      let task = launch.session().dataTask(with: url("https://h/slow")) { data, _, _ in
        answers.add(String(decoding: data ?? Data(), as: UTF8.self))
      }
      task.resume()
      await launch.rest()
      task.suspend()
      task.resume()
      await launch.rest()
      await launch.advance(by: .seconds(2))
      #expect(answers.all == ["slow"])
      #expect(try launch.lines() == ["GET https://h/slow stub"])
    }

    @Test("A cancelled request that waited is over before the app rests", arguments: 0..<100)
    func restAfterCancellation(_ round: Int) async throws {
      let launch = try InterceptedLaunch(stubs: Self.slow)
      let answers = Lines()
      let tasks = (0..<5).map { _ in
        launch.session().dataTask(with: url("https://h/slow")) { _, _, _ in answers.add("over") }
      }
      for task in tasks { task.resume() }
      await launch.rest()
      for task in tasks { task.cancel() }
      await launch.rest()
      #expect(answers.all.count == 5)
    }
  }
}

extension InterceptedLaunch {
  /// Moves the clock as an action does, and waits for rest.
  func advance(by duration: Duration) async {
    let end = clock.now.advanced(by: duration)
    while clock.wakeNext(upTo: end) { await rest() }
  }
}
