// What the code blocks of the documentation take for granted; compiled together with them, and not with
// the tests.

import AppHarness
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@MainActor final class CartViewModel {
  private(set) var count = 0

  init(session: URLSession, clock: any Clock<Duration>) {}

  func didTapAdd() { count += 1 }
}

// An SDK.

enum Analytics {
  static func start(sessionConfiguration: URLSessionConfiguration) {}
  static func configure(_ change: (URLSessionConfiguration) -> Void) {}
}

struct AnalyticsOptions {
  var protocolClasses: [AnyClass] = []
}

@MainActor var options = AnalyticsOptions()

// A composition root.

public struct SearchResult: Sendable {}

struct FakeSearchRepository: SearchRepository {
  init(json: Data) {}

  func search(_ query: String) async throws -> SearchResult { SearchResult() }
}

struct NetworkStatus {}

struct Dependencies {
  var search: any SearchRepository

  init(
    clock: any Clock<Duration>, now: @Sendable () -> Date, network: NetworkStatus, storage: URL,
    session: URLSession, trackerSession: URLSession
  ) throws {
    search = FakeSearchRepository(json: Data())
  }
}

let network = NetworkStatus()
let storage = URL(filePath: "/")

// Work of another process.

struct Helper {
  func answer(to question: String) async throws -> String { question }
}

let helper = Helper()
let question = ""
@MainActor let child = Process()
