import Foundation
import Testing

@testable import HarnessProtocol

@Suite("The date at which the clock starts")
struct StartDateTests {
  @Test(
    "It is what Foundation reads",
    arguments: [
      "2026-01-01T00:00:00Z", "2024-02-29T23:59:59Z", "2023-02-29T00:00:00Z",
      "1900-02-28T12:00:00Z", "1969-12-31T23:59:59Z", "1583-01-01T00:00:00Z",
      "1582-10-10T00:00:00Z", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z",
      "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z", "2026-01-32T00:00:00Z",
      "2026-01-01T24:00:00Z", "2026-01-01T23:60:00Z", "2026-01-01T23:59:60Z",
      "2026-01-01T00:00:00+09:00", "2026-01-01T00:00:00", "2026-01-01", "20260101T000000Z",
      "2026-01-01t00:00:00z", "2026-01-01 00:00:00Z", "+026-01-01T00:00:00Z", "",
    ])
  func sameDate(text: String) {
    #expect(StartDate.date(text) == (try? Date.ISO8601FormatStyle().parse(text)))
  }

  @Test("The usual way to write it needs no parser of Foundation")
  func plainDate() {
    let seconds = StartDate.plainDate(Array("2026-01-01T00:00:00Z".utf8))?.timeIntervalSince1970
    #expect(seconds == 1_767_225_600)
    #expect(StartDate.plainDate(Array("2026-01-01T00:00:00+09:00".utf8)) == nil)
  }
}
