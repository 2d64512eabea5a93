import RequestMatching
import SourceText

/// Something that is wrong with what was sent, whatever was expected, with all its repetitions.
package struct DataFlaw: Sendable {
  /// Who says so.
  package enum Rule: Sendable {
    case lint(LintRule)
    case unplannedEvent
    /// A rule of the event's schema.
    case plan(JSONSchema.Violation)
  }

  package var rule: Rule
  /// The part that is wrong; of an event that isn't planned, its name.
  package var part: Difference.Part
  /// As it was sent; `nil` where something is missing.
  package var value: String?
  /// Names that may have been meant.
  package var suggestions: [String] = []
  package var count = 0
  /// At most `FindingLimits.occurrences` of them, in order; never empty.
  package var occurrences: [RequestOccurrence] = []
  /// How many others the rule has found beyond those that are told apart.
  package var furtherCount = 0

  package init(rule: Rule, part: Difference.Part, value: String?, suggestions: [String] = []) {
    self.rule = rule
    self.part = part
    self.value = value
    self.suggestions = suggestions
  }
}

/// Something about a file that a scenario names, which its run has shown.
package struct FileDoubt: Sendable {
  package enum Kind: String, Sendable {
    /// Stubs that have answered nothing, or a capture of which nothing was used.
    case unusedStubs
    /// A key of `fixtures` that the app never asked for.
    case unusedFixture
    /// What the app got and couldn't decode.
    case undecodable
    /// A decoder that looked at no request, or found no event in any.
    case unusedDecoder
    /// A path of `where` that finds nothing in any event of the name.
    case unknownPath
  }

  package var kind: Kind
  package var diagnostic: Diagnostic
  /// What was in hand when the app said so.
  package var cause: RequestCause?

  package init(_ kind: Kind, _ diagnostic: Diagnostic, cause: RequestCause? = nil) {
    self.kind = kind
    self.diagnostic = diagnostic
    self.cause = cause
  }
}

/// A path of a `where` that finds nothing in any event of the name.
package struct BlindPath: Sendable {
  /// As it is written.
  package var key: String
  /// How many events of the name there are.
  package var eventCount: Int
  /// Paths that find something, the nearest first.
  package var nearest: [String]

  package var text: String {
    let events = eventCount == 1 ? "the event" : "any of the \(eventCount) events"
    return "\"\(key)\" finds nothing in \(events) of this name."
  }
}

/// What a decoder has done in a scenario.
package struct DecoderUse: Sendable {
  /// How many requests it looked at.
  package var requests = 0
  package var events = 0

  package init() {}
}
