import AppHarness
import Foundation
import Testing

@testable import DemoApp

@MainActor @Suite("A search result tells the advertisers", .timeLimit(.minutes(10)))
struct SearchResultViewModelTests {
  private struct Repository: SearchRepository {
    var result: SearchResult?

    func search(_ query: String) async throws -> SearchResult {
      guard let result else { throw URLError(.badServerResponse) }
      return result
    }
  }

  private let clock = VirtualClock()
  private let tracker = RecordingTracker()
  private let first = ItemPosition(module: 0, item: 0)
  private let second = ItemPosition(module: 0, item: 1)

  private func model(_ modules: [SearchModule]?) -> SearchResultViewModel {
    SearchResultViewModel(
      repository: Repository(result: modules.map(SearchResult.init)), tracker: tracker,
      cart: CartViewModel(clock: clock), clock: clock)
  }

  private func shown() async throws -> SearchResultViewModel {
    let items = [try SearchItem.ad("1"), .general("2")]
    let model = model([SearchModule(id: "A", layout: .list, items: items)])
    model.viewDidLoad()
    model.viewDidAppear()
    await until { model.state == .shown }
    return model
  }

  @Test("the impression of an ad after a second, of a general item never")
  func impression() async throws {
    let model = try await shown()
    await clock.advance(to: .seconds(1))
    await until { !tracker.urls.isEmpty }
    model.tapCart(at: first)
    #expect(tracker.urls == ["https://ad/i?1", "https://ad/k?1"])
  }

  @Test("two quick taps open once and send one click; after the transition a tap counts again")
  func click() async throws {
    let model = try await shown()
    var opened: [String] = []
    model.onOpen = { opened.append($0.id) }
    model.tapItem(at: first)
    model.tapItem(at: first)
    model.tapItem(at: second)
    await clock.advance(to: .milliseconds(350))
    await until { opened == ["1"] }
    model.tapItem(at: first)
    #expect(tracker.urls == ["https://ad/c?1", "https://ad/c?1"])
  }

  @Test("a bounce on the cart counts once, deliberate taps each")
  func cart() async throws {
    let model = try await shown()
    model.tapCart(at: first)
    model.tapCart(at: first)
    clock.pass(to: .milliseconds(299))
    model.tapCart(at: first)
    clock.pass(to: .milliseconds(300))
    model.tapCart(at: first)
    #expect(tracker.urls == ["https://ad/k?1", "https://ad/k?1"])
  }

  @Test("general items send nothing")
  func general() async throws {
    let model = try await shown()
    model.tapCart(at: second)
    model.tapItem(at: second)
    #expect(tracker.urls.isEmpty)
  }

  @Test("what is off the screen sends nothing, whatever is tapped")
  func unknownPosition() async throws {
    let model = try await shown()
    model.tapItem(at: ItemPosition(module: 0, item: 2))
    model.tapCart(at: ItemPosition(module: 1, item: 0))
    #expect(tracker.urls.isEmpty)
  }

  @Test("nothing found is empty, an error is failed")
  func states() async {
    let empty = model([SearchModule(id: "A", layout: .list, items: [])])
    empty.viewDidLoad()
    await until { empty.state == .empty }
    let failed = model(nil)
    failed.viewDidLoad()
    await until { failed.state == .failed }
  }
}
