import RequestMatching
import SourceText

/// The table of the keys of an expectation: a request pattern's, and `count`.
package enum ExpectationShape {
  package static let shape = ObjectShape(
    "an expectation", keys: keys, misplacedKeys: misplacedKeys)

  static let keys =
    RequestPatternShape.keys + [
      .init(
        "count", .either([.wholeNumber, .object("count")]),
        "How many requests must match: a whole number, or {\"atLeast\": n, \"atMost\": m}.",
        required: true)
    ]

  private static let misplacedKeys: [String: String] = {
    var misplacedKeys = RequestPatternShape.misplacedKeys
    for key in ["atLeast", "atMost"] {
      misplacedKeys[key] = "belongs in \"count\": {\"\(key)\": …}."
    }
    for key in ["expected", "unexpected", "tracking", "volatileParameters"] {
      misplacedKeys[key] = "belongs in the scenario, not in an expectation."
    }
    for key in ["sends", "timeout"] {
      misplacedKeys[key] = "belongs in an action, not in an expectation."
    }
    return misplacedKeys
  }()
}
