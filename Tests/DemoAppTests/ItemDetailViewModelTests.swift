import Foundation
import Testing

@testable import DemoApp

extension SessionTests {
  @MainActor @Suite("An item has one outcome for each request", .timeLimit(.minutes(10)))
  struct ItemDetailViewModelTests {
    private nonisolated static let item = #"{"id":1,"title":"T","descriptions":"D","price":2}"#

    private func model(_ server: TestServer.Session) throws -> ItemDetailViewModel {
      ItemDetailViewModel(
        id: 1, repository: LiveItemRepository(server: try server.server("https://shop/api")))
    }

    @Test(
      "shown, or one of three errors",
      arguments: [
        (.json(item), .shown(Item(id: 1, title: "T", descriptions: "D", price: 2))),
        (TestServer.Answer(status: 300, body: Data(item.utf8)), .failed(.network)),
        (.error(.timedOut), .failed(.network)),
        (TestServer.Answer(status: 204), .failed(.emptyBody)),
        (.json("{"), .failed(.malformed)),
        (.json(#"{"id":"1","title":"T","descriptions":"D","price":2}"#), .failed(.malformed)),
      ] as [(TestServer.Answer, ItemDetailViewModel.State)])
    func outcomes(answer: TestServer.Answer, state: ItemDetailViewModel.State) async throws {
      let server = TestServer.session(answer)
      let model = try model(server)
      model.viewDidLoad()
      #expect(model.state == .loading)
      await until { model.state != .loading }
      #expect(model.state == state)
      #expect(server.urls == ["https://shop/api/items/1"])
    }

    @Test("a retry clears the error and asks once, also when it is tapped twice")
    func retry() async throws {
      let server = TestServer.session(TestServer.Answer(status: 500), .json(Self.item))
      let model = try model(server)
      model.viewDidLoad()
      await until { model.state == .failed(.network) }
      model.retry()
      model.retry()
      #expect(model.state == .loading)
      await until { model.state != .loading }
      model.retry()
      #expect(server.urls.count == 2)
    }
  }
}
