import Foundation

/// Fills in what an advertiser leaves open in its URLs, by the names that VAST gives it: `[TIMESTAMP]` is when
/// something happened, `[CACHEBUSTING]` eight random digits.
@MainActor struct MacroExpandingTracker: AdTracking {
  let tracker: any AdTracking
  let now: @Sendable () -> Date

  func track(_ url: URL) {
    var random = SystemRandomNumberGenerator()
    let text = url.absoluteString
      .replacing("%5BTIMESTAMP%5D", with: now().formatted(.iso8601))
      .replacing("%5BCACHEBUSTING%5D", with: String(random.next()).suffix(8))
    tracker.track(URL(string: text) ?? url)
  }
}
