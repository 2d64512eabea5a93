import HarnessProtocol
import SourceText

/// A verb: what its value is, and the further keys that it takes.
package struct ActionShape: Sendable {
  /// What a verb's value stands for.
  package enum Subject: Sendable {
    case element
    case text(parameter: String)
    case seconds
    case payload
    case flag
    case expectations
    case repetitions
    case stepsFile
  }

  package var verb: String
  package var subject: Subject
  /// The keys of such an action: the verb first, then what only it has, then what all have.
  package var object: ObjectShape
  /// The further keys alone.
  package var furtherKeys: [ObjectShape.Key]

  init(
    _ verb: String, _ subject: Subject, _ kind: ValueKind, _ summary: String,
    _ furtherKeys: [ObjectShape.Key] = []
  ) {
    self.verb = verb
    self.subject = subject
    self.furtherKeys = furtherKeys
    object = ObjectShape(
      "\"\(verb)\"",
      keys: [.init(verb, kind, summary, required: true)] + furtherKeys + Self.common(subject))
  }

  private static func common(_ subject: Subject) -> [ObjectShape.Key] {
    let name = ObjectShape.Key(
      "name", .nonEmptyString, "Shown instead of the verb and its value.")
    // Counting causes nothing, so such an action's `sends` would always hold.
    if case .expectations = subject { return [name] }
    let sends = ObjectShape.Key(
      "sends", .list(.object("expectation")),
      "Exactly these requests are caused by this action; [] means that it sends nothing.")
    return [sends, name]
  }
}
