import Foundation
import Testing

@testable import DemoApp

extension SessionTests {
  @MainActor @Suite("An image is downloaded at most once", .timeLimit(.minutes(10)))
  struct ImageLoaderTests {
    private nonisolated static let png = Data([
      0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52,
      0, 0, 0, 3, 0, 0, 1, 2,
    ])

    @Test("by all who ask at the same time, and from the cache afterwards")
    func once() async {
      let server = TestServer.session(TestServer.Answer(body: Self.png))
      let loader = ImageLoader(session: server.urlSession)
      async let first = loader.image("https://image/1")
      async let second = loader.image("https://image/1")
      let images = await [first, second, loader.image("https://image/1")]
      #expect(images.allSatisfy { $0?.width == 3 && $0?.height == 258 })
      #expect(server.urls == ["https://image/1"])
    }

    @Test(
      "a failure is tried again when it is asked for again",
      arguments: [
        TestServer.Answer(status: 500, body: png), .error(.timedOut), .json("no picture"),
        .json("a page that is long enough to be a picture"),
      ])
    func failure(answer: TestServer.Answer) async {
      let server = TestServer.session(answer, TestServer.Answer(body: Self.png))
      let loader = ImageLoader(session: server.urlSession)
      #expect(await loader.image("https://image/1") == nil)
      #expect(await loader.image("https://image/1") != nil)
      #expect(server.urls.count == 2)
    }
  }
}
