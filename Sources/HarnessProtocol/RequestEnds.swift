/// How the requests of one file ended, in eight bytes each: a store can have millions.
struct RequestEnds {
  /// By number, from 1: a status, or from `firstError` on the place of an error's name; 0: no end.
  private var codes: [UInt32] = []
  /// By number, from 1: how many requests stand before the end.
  private var places: [UInt32] = []
  private var errors: [String] = []
  private var errorPlaces: [String: Int] = [:]

  private static let firstError: UInt32 = 1000
  /// Set once the line was met when the requests were read.
  private static let confirmed: UInt32 = 1 << 31

  /// Takes an end that stands behind so many requests; what has no request, or is the second, is left
  /// for `confirm` to refuse.
  mutating func add(_ end: RequestEnd, of number: Int, behind requestCount: Int) {
    guard (1...max(1, requestCount)).contains(number), requestCount > 0, self[number] == nil else {
      return
    }
    if codes.count < number {
      places += repeatElement(0, count: number - codes.count)
      codes += repeatElement(0, count: number - codes.count)
    }
    codes[number - 1] = code(of: end)
    places[number - 1] = UInt32(requestCount)
  }

  subscript(number: Int) -> RequestEnd? {
    guard number <= codes.count else { return nil }
    let code = codes[number - 1] & ~Self.confirmed
    if code == 0 { return nil }
    return code < Self.firstError
      ? .status(Int(code)) : .error(errors[Int(code - Self.firstError)])
  }

  /// How many requests were sent after this one and before it ended; 0 where it has no end.
  func overlap(of number: Int) -> Int {
    self[number] == nil ? 0 : Int(places[number - 1]) - number
  }

  /// Meets the line of an end again.
  ///
  /// - Throws: where no request before it has this end, or the end was there already.
  mutating func confirm(
    _ end: RequestEnd, of number: Int, behind requestCount: Int
  ) throws(RecordedLineFault) {
    guard number >= 1, number <= requestCount, self[number] == end,
      codes[number - 1] & Self.confirmed == 0
    else { throw .unfoundedEnd(number) }
    codes[number - 1] |= Self.confirmed
  }

  private mutating func code(of end: RequestEnd) -> UInt32 {
    switch end {
    case .status(let status): return UInt32(status)
    case .error(let name):
      let place = errorPlaces[name] ?? errors.count
      if place == errors.count {
        errors.append(name)
        errorPlaces[name] = place
      }
      return Self.firstError + UInt32(place)
    }
  }
}
