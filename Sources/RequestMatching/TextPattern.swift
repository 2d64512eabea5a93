import Foundation
import Synchronization

/// A regular expression that must match a whole text, with a bound on what a match can cost.
///
/// The syntax is ICU's, which is Java's but for details; `\d`, `\w` and `\s` mean ASCII.
package struct TextPattern: Sendable {
  package let pattern: String
  /// The bytes that every match begins with.
  let literalPrefix: [UInt8]
  /// Whether the pattern is nothing but its prefix.
  private let isLiteral: Bool
  private let expression: NSRegularExpression
  private let last = LastAnswer()

  /// - Parameter dotMatchesLineBreaks: as in WireMock; not so in JsonUnit.
  /// - Throws: `TextPatternError` where it isn't a valid regular expression.
  package init(_ pattern: String, dotMatchesLineBreaks: Bool = true) throws {
    self.pattern = pattern
    (literalPrefix, isLiteral) = RegularExpressionSyntax.literalPrefix(of: pattern)
    let ascii = RegularExpressionSyntax.withASCIIClasses(pattern)
    let options: NSRegularExpression.Options =
      dotMatchesLineBreaks ? [.dotMatchesLineSeparators] : []
    let expression = { try NSRegularExpression(pattern: $0, options: options) }
    do {
      // The pattern alone first: `a)(b` is none, although it becomes one between parentheses.
      _ = try expression(ascii)
      // A comment at its end, as `(?x)` allows them, ends only with its line.
      self.expression =
        try (try? expression(#"\A(?:\#(ascii))\z"#)) ?? expression("\\A(?:\(ascii)\n)\\z")
    } catch {
      throw TextPatternError(pattern: pattern)
    }
  }

  /// Whether the whole text matches.
  ///
  /// - Throws: `MatchingDoubt` where that would take too many steps. The bound counts steps, not
  ///   time, so it is the same on every machine.
  package func matches(_ text: some Sequence<UInt8>) throws(MatchingDoubt) -> Bool {
    let bytes = Array(text)
    if isLiteral { return bytes == literalPrefix }
    guard bytes.starts(with: literalPrefix) else { return false }
    if let known = last.answer(for: bytes) { return known }
    let isMatch = try matches(String(decoding: bytes, as: UTF8.self))
    last.set(isMatch, for: bytes)
    return isMatch
  }

  /// What became of the text that was tried last: many requests go to one URL.
  private final class LastAnswer: Sendable {
    private static let longestText = 512
    private let state = Mutex<(text: [UInt8], isMatch: Bool)?>(nil)

    func answer(for text: [UInt8]) -> Bool? {
      state.withLock { $0.flatMap { $0.text == text ? $0.isMatch : nil } }
    }

    func set(_ isMatch: Bool, for text: [UInt8]) {
      if text.count <= Self.longestText { state.withLock { $0 = (text, isMatch) } }
    }
  }

  private func matches(_ text: String) throws(MatchingDoubt) -> Bool {
    let length = text.utf16.count
    var reportsLeft = Self.reportLimit(textLength: length)
    var isMatch = false
    var isTooExpensive = false
    var isStopped = false
    expression.enumerateMatches(
      in: text, options: [.reportProgress, .reportCompletion, .anchored],
      range: NSRange(location: 0, length: length)
    ) { match, flags, stop in
      if flags.contains(.internalError) {
        // The stack for going back is full: ICU gives up, which must not pass for "no match".
        isTooExpensive = true
      } else if match != nil {
        isMatch = true
        stop.pointee = true
      } else if flags.contains(.progress) {
        reportsLeft -= 1
        isStopped = MatchingStop.isWanted
        if isStopped || reportsLeft <= 0 {
          isTooExpensive = true
          stop.pointee = true
        }
      }
    }
    if isStopped { throw .stopped }
    if isTooExpensive { throw .expensiveExpression(pattern, textLength: length) }
    return isMatch
  }

  /// How often ICU may report progress, which it does every 10,000 steps.
  ///
  /// 200 reports are 30 to 100 ms. Long texts get 50 steps more for each character.
  private static func reportLimit(textLength: Int) -> Int { 200 + textLength / 200 }
}

/// What isn't a valid regular expression.
package struct TextPatternError: Error, Sendable {
  package var pattern: String
}

/// Why nobody can tell whether something matches.
package enum MatchingDoubt: Error, Sendable, Equatable {
  /// A regular expression would take too many steps on a text of so many UTF-16 code units.
  case expensiveExpression(String, textLength: Int)
  /// A JSONPath would, on JSON of so many.
  case expensivePath(String, textLength: Int)
  /// A JSON Schema would, on JSON of so many.
  case expensiveSchema(textLength: Int)
  /// A condition isn't met by the bytes of a body that can't be decoded, or speaks of what isn't in it; the
  /// problem is `DecodedBody`'s.
  case undecodableBody(problem: String)
  /// Nobody waits for it any more.
  case stopped
}

/// Ends work on requests that takes longer than anybody waits: what it was looking for then is in doubt.
///
/// A class because a task-local function is pushed without its type by the optimizer (Swift 6.3.1).
package final class MatchingStop: Sendable {
  @TaskLocal private static var current: MatchingStop?
  private let isWanted: @Sendable () -> Bool

  package init(_ isWanted: @escaping @Sendable () -> Bool) {
    self.isWanted = isWanted
  }

  /// Does work in which everything that can take long asks whether to go on.
  package static func asking<Result>(_ stop: MatchingStop?, _ work: () -> Result) -> Result {
    guard let stop else { return work() }
    return $current.withValue(stop, operation: work)
  }

  package static var isWanted: Bool { current?.isWanted() ?? false }

  static func check() throws(MatchingDoubt) {
    if isWanted { throw .stopped }
  }
}

extension MatchingDoubt: CustomStringConvertible {
  /// What is wrong, then what to do.
  package var description: String {
    switch self {
    case .expensiveExpression(let pattern, let length):
      "The expression \"\(pattern)\" takes too many steps on a text of \(length) characters. Write it "
        + "without a repetition in a repetition, as in (a+)+."
    case .expensivePath(let path, let length):
      "The JSONPath \"\(path)\" takes too many steps on JSON of \(length) characters. Write it with fewer "
        + "\"..\"."
    case .expensiveSchema(let length):
      "The schema takes too many steps on JSON of \(length) characters. Write it with fewer \"anyOf\", "
        + "\"oneOf\" and \"allOf\" that lead to the same subschema more than once."
    case .undecodableBody(let problem):
      "The body \(problem). \(Self.remedyOfUndecodableBody)"
    case .stopped: "Whether it matches wasn't found out in time."
    }
  }

  package static let remedyOfUndecodableBody =
    "What \"bodyPatterns\" ask for can't be told of it: let the app send what its Content-Encoding says, or "
    + "leave them out."

  /// Of a body that can't be decoded or read.
  var problem: String? {
    if case .undecodableBody(let problem) = self { problem } else { nil }
  }
}
