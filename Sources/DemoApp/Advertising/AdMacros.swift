import Foundation

/// Fills in what an advertiser leaves open in its URLs, by the names that VAST gives it: `[TIMESTAMP]` is when
/// something happened, `[CACHEBUSTING]` eight random digits.
@MainActor struct MacroExpandingTracker: AdTracking {
  let tracker: any AdTracking
  let now: @Sendable () -> Date

  func track(_ url: URL) {
    var text = url.absoluteString
    let digits = String(Int.random(in: 10_000_000...99_999_999))
    for (name, value) in [("TIMESTAMP", now().formatted(.iso8601)), ("CACHEBUSTING", digits)] {
      text = text.replacing("%5B\(name)%5D", with: value)
    }
    tracker.track(URL(string: text) ?? url)
  }
}
