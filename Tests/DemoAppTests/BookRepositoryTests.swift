import Foundation
import Testing

@testable import DemoApp

extension SessionTests {
  @Suite("The book search speaks Kakao's language")
  struct BookRepositoryTests {
    private static let page = """
      {"meta":{"is_end":false,"pageable_count":1,"total_count":2},"documents":[{"title":"T",
      "authors":["A"],"isbn":"1 2","translators":[],"publisher":"P",
      "datetime":"2014-11-17T00:00:00.000+09:00","contents":"C","url":"u","price":100,
      "sale_price":90,"thumbnail":"t","status":"s"}]}
      """

    @Test("a page with its date in the publisher's offset")
    func decoding() async throws {
      let server = TestServer.session(.json(Self.page))
      let repository = LiveBookRepository(
        server: try server.server("https://dapi.kakao.com/v3/search/book"), apiKey: "k")
      let page = try await repository.search("C++ & 한강", page: 2)
      #expect(page.meta == BookPage.Meta(isEnd: false, pageableCount: 1, totalCount: 2))
      #expect(page.documents.first?.salePrice == 90)
      #expect(page.documents.first?.datetime == Date(timeIntervalSince1970: 1_416_150_000))
      let query = "query=C%2B%2B%20%26%20%ED%95%9C%EA%B0%95&page=2&size=10"
      #expect(server.urls == ["https://dapi.kakao.com/v3/search/book?\(query)"])
      #expect(server.requests.first?.value(forHTTPHeaderField: "Authorization") == "KakaoAK k")
    }

    @Test(
      "each failure is an error of its own",
      arguments: [
        (TestServer.Answer(status: 401), BookSearchError.unauthorized),
        (TestServer.Answer(status: 404), .notFound),
        (TestServer.Answer(status: 503), .status(503)),
        (.json("{"), .malformed),
        (.json(page.replacing("+09:00", with: "")), .malformed),
        (.error(.timedOut), .network),
      ])
    func errors(answer: TestServer.Answer, error: BookSearchError) async throws {
      let server = TestServer.session(answer)
      let repository = LiveBookRepository(
        server: try server.server("https://dapi.kakao.com/v3/search/book"), apiKey: "k")
      await #expect(throws: error) { try await repository.search("q", page: 1) }
      #expect(server.urls.count == 1)
    }
  }
}
