import HarnessProtocol
import ScenarioCore
import ScenarioReporting
import SourceText

/// Reads the command line by the table of options.
struct OptionParser {
  private var options = CommandOptions()

  static func parse(_ arguments: [String]) throws(CommandFailure) -> CommandOptions {
    var parser = OptionParser()
    try parser.read(arguments[...])
    return parser.options
  }

  /// The names that follow `--secret`, also where the command line is wrong.
  static func secretNames(in arguments: [String]) -> [String] {
    let option = "--secret"
    let following = zip(arguments, arguments.dropFirst()).filter { $0.0 == option }.map(\.1)
    let joined = arguments.filter { $0.hasPrefix(option + "=") }
    return following + joined.map { String($0.dropFirst(option.count + 1)) }
  }

  private mutating func read(_ arguments: ArraySlice<String>) throws(CommandFailure) {
    var rest = arguments
    if let first = rest.first, let subcommand = CommandOptions.Subcommand(rawValue: first) {
      options.subcommand = subcommand
      rest = rest.dropFirst()
    }
    while let word = rest.popFirst() {
      if word == "--" {
        options.words += rest
        return
      }
      if word.hasPrefix("-"), word != "-" {
        try readOption(word, &rest)
      } else {
        options.words.append(word)
      }
    }
  }

  private mutating func readOption(
    _ word: String, _ rest: inout ArraySlice<String>
  ) throws(CommandFailure) {
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(parts[0])
    let option = try specification(of: name)
    var value = parts.count > 1 ? String(parts[1]) : nil
    if let valueName = option.valueName {
      value = value ?? rest.popFirst()
      if value == nil { throw CommandFailure("\(name) needs a value: \(name) \(valueName).") }
    } else if value != nil {
      throw CommandFailure("\(name) takes no value.")
    }
    do {
      try option.apply(&options, value ?? "")
    } catch {
      let wanted = (error as? OptionValueError)?.wanted ?? "\(error)"
      throw CommandFailure("\(name) can't be \"\(value ?? "")\". Expected \(wanted).")
    }
  }

  private func specification(of name: String) throws(CommandFailure) -> OptionSpecification {
    let named = OptionTable.all.first { $0.name == name || $0.shortName == name }
    guard let named else { throw unknown(name) }
    guard named.subcommands.contains(options.subcommand) else {
      let subcommand = options.subcommand
      throw CommandFailure(
        subcommand == .run
          ? "\(name) belongs to a subcommand: "
            + named.subcommands.map(\.rawValue).sorted().joined(separator: ", ") + "."
          : "\"\(subcommand.rawValue)\" does not take \(name).")
    }
    return named
  }

  private func unknown(_ name: String) -> CommandFailure {
    let names = OptionTable.all.filter { $0.subcommands.contains(options.subcommand) }.map(\.name)
    let closest = Suggestions.closest(to: name, among: names)
    let hint =
      closest.isEmpty
      ? "See scenario-run --help." : Wording.didYouMean(closest).capitalizedFirst
    return CommandFailure("Unknown option \(name). \(hint)")
  }
}

/// A value that an option can't take.
struct OptionValueError: Error {
  /// What the option expects.
  var wanted: String
}

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

  static func percentage(_ text: String) throws -> Double {
    guard let percentage = Double(text), (0...100).contains(percentage) else {
      throw OptionValueError(wanted: "a number from 0 to 100")
    }
    return percentage
  }

  static func schedule(_ text: String) throws -> Schedule {
    do throws(ScheduleFault) {
      return try Schedule(text)
    } catch {
      throw OptionValueError(wanted: error.grammar)
    }
  }

  /// One of the names of a type's cases.
  static func choice<Choice>(_ text: String) throws -> Choice
  where Choice: RawRepresentable<String> & CaseIterable {
    if let choice = Choice(rawValue: text) { return choice }
    throw OptionValueError(wanted: ValueKind.alternatives(Choice.allCases.map(\.rawValue)))
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
