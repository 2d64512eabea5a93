#if canImport(FoundationNetworking)
  import Foundation
  import FoundationNetworking
  import Testing

  @testable import AppHarness

  extension InterceptorTests {
    @Suite("What a URLProtocol can't serve here is refused, and recorded") struct RefusalTests {
      @Test("A download task")
      func download() async throws {
        let launch = try InterceptedLaunch(stubs: #"{"request": {}, "response": {"body": "x"}}"#)
        let errors = Lines()
        launch.session().downloadTask(with: url("https://h/file")) { _, _, error in
          errors.add(error?.localizedDescription ?? "none")
        }.resume()
        await launch.rest()
        #expect(errors.all.count == 1)
        #expect(errors.all.first?.contains("Download tasks") == true)
        #expect(launch.warnings.all == errors.all)
        #expect(try launch.records().map(\.url) == ["https://h/file"])
      }

      @Test("A web socket: whoever waits for a message hears of it")
      func webSocket() async throws {
        let launch = try InterceptedLaunch()
        let task = launch.session().webSocketTask(with: url("wss://h/socket"))
        task.resume()
        await #expect(throws: (any Error).self) { _ = try await task.receive() }
        await launch.rest()
        // Where libcurl has no web sockets, Foundation refuses them before any protocol is asked.
        #expect(launch.warnings.all.count == (try launch.records().count))
        #expect(launch.warnings.all.allSatisfy { $0.contains("Web sockets") })
      }
    }
  }
#endif
