import ScenarioCore

/// Reads the values of options.
enum OptionValue {
  static func count(_ text: String, in range: ClosedRange<Int>) throws -> Int {
    guard let count = Int(text), range.contains(count) else {
      let upper = range.upperBound == .max ? " or more" : " to \(range.upperBound)"
      throw OptionValueError(wanted: "a whole number, \(range.lowerBound)\(upper)")
    }
    return count
  }

  static func seconds(_ text: String) throws -> Duration {
    guard let seconds = Double(text), seconds > 0, seconds <= 86_400 else {
      throw OptionValueError(wanted: "a number of seconds above 0, 86400 at most")
    }
    return .seconds(seconds)
  }

  /// One of the names of a type's cases.
  static func choice<Choice>(_ text: String) throws -> Choice
  where Choice: RawRepresentable<String> & CaseIterable {
    if let choice = Choice(rawValue: text) { return choice }
    let names = Choice.allCases.map(\.rawValue)
    let wanted = names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "")
    throw OptionValueError(wanted: wanted)
  }

  static func shard(_ text: String) throws -> Shard {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 2, let index = parts[0], let total = parts[1], total > 0,
      (1...total).contains(index)
    else { throw OptionValueError(wanted: "I/N, as 2/5: the second of five parts") }
    guard total <= Shard.totalLimit else {
      throw OptionValueError(wanted: "I/N, at most \(Shard.totalLimit) parts")
    }
    return Shard(index: index, total: total)
  }
}
