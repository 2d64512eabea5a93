import AppHarness
import Foundation

@testable import DemoApp

extension VirtualClock {
  /// A clock for one test.
  convenience init() {
    self.init(start: Date(timeIntervalSince1970: 1_800_000_000))
  }

  /// Waits until somebody sleeps until `deadline`, then moves the clock there.
  @MainActor func advance(to deadline: Duration) async {
    await until { self.nextDeadline?.offset == deadline }
    _ = wakeNext(upTo: instant(deadline))
  }

  /// Moves the clock where nobody is due.
  func pass(to instant: Duration) {
    while wakeNext(upTo: self.instant(instant)) {}
  }

  private func instant(_ offset: Duration) -> Instant {
    now.advanced(by: offset - now.offset)
  }
}

/// Waits for something that other tasks bring about; the suite's time limit ends a vain wait.
@MainActor func until(_ condition: @MainActor () -> Bool) async {
  while !condition(), !Task.isCancelled { await Task.yield() }
}

/// Remembers what it was told to track.
@MainActor final class RecordingTracker: AdTracking {
  private(set) var urls: [String] = []

  func track(_ url: URL) { urls.append(url.absoluteString) }
}

extension SearchItem {
  static func ad(_ id: String) throws -> SearchItem {
    let json = """
      {"id":"\(id)","title":"Ad \(id)","price":100,"tracking":{
       "impression":"https://ad/i?\(id)","click":"https://ad/c?\(id)","cart":"https://ad/k?\(id)"}}
      """
    return try JSONDecoder().decode(SearchItem.self, from: Data(json.utf8))
  }

  static func general(_ id: String) -> SearchItem {
    SearchItem(id: id, title: "General \(id)", price: 100)
  }
}
