/// How much of what was found is kept and shown; the counts are always complete.
package enum FindingLimits {
  /// Requests that one finding lists.
  package static let occurrences = 20
  /// Different unexpected requests that are told apart in one scenario; the rest is one finding.
  package static let unexpectedRequests = 10_000
  /// Different findings of one rule of lint, or of the tracking plan, that are told apart.
  package static let flaws = 100
}
