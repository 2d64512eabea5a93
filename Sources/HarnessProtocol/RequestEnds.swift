/// How the requests of one file ended.
struct RequestEnds {
  private struct Entry {
    let end: RequestEnd
    /// How many requests stand before it.
    let place: Int
    /// Set once the line was met when the requests were read.
    var isConfirmed = false
  }

  /// By number, from 1.
  private var entries: [Entry?] = []

  /// Takes an end that stands behind so many requests; what has no request, or is the second, is left
  /// for `confirm` to refuse.
  mutating func add(_ end: RequestEnd, of number: Int, behind requestCount: Int) {
    guard number >= 1, number <= requestCount, self[number] == nil else { return }
    if entries.count < number { entries += repeatElement(nil, count: number - entries.count) }
    entries[number - 1] = Entry(end: end, place: requestCount)
  }

  subscript(number: Int) -> RequestEnd? { entry(number)?.end }

  /// How many requests were sent after this one and before it ended; 0 where it has no end.
  func overlap(of number: Int) -> Int { entry(number).map { $0.place - number } ?? 0 }

  /// Meets the line of an end again.
  ///
  /// - Throws: where no request before it has this end, or the end was there already.
  mutating func confirm(
    _ end: RequestEnd, of number: Int, behind requestCount: Int
  ) throws(RecordedLineFault) {
    guard number >= 1, number <= requestCount, let entry = entry(number), entry.end == end,
      !entry.isConfirmed
    else { throw .unfoundedEnd(number) }
    entries[number - 1]?.isConfirmed = true
  }

  private func entry(_ number: Int) -> Entry? {
    number <= entries.count ? entries[number - 1] : nil
  }
}
