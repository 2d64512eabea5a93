/// Mends what is mechanical in files that people wrote; everything else in them stays as it is.
package struct FileMender {
  /// Files with their mended text, by path; all others are as they were.
  package private(set) var mended: [String: SourceFile] = [:]
  /// What was mended, in the order in which it was found.
  package private(set) var solved: [Diagnostic] = []
  /// What is left for the author.
  package private(set) var remaining: [Diagnostic]

  private let diagnose: ([String: SourceFile]) -> [Diagnostic]

  /// A mistake can hide another: so many times the files are read again.
  private static let roundLimit = 20

  /// Mends until nothing mechanical is left.
  ///
  /// An edit is kept only where the files, read again with it, have fewer errors.
  ///
  /// - Parameter diagnose: what is wrong, with these files read instead of those of the same path.
  package init(diagnose: @escaping ([String: SourceFile]) -> [Diagnostic]) {
    self.diagnose = diagnose
    remaining = diagnose([:])
    for _ in 0..<Self.roundLimit where mendOnce() == false { break }
  }

  /// - Returns: whether anything was mended.
  private mutating func mendOnce() -> Bool {
    let candidates = Self.withoutOverlaps(remaining.filter { !$0.fix.isEmpty })
    if candidates.isEmpty { return false }
    if accept(candidates) { return true }
    return candidates.count > 1 && candidates.contains { accept([$0]) }
  }

  private mutating func accept(_ fixed: [Diagnostic]) -> Bool {
    let trial = Self.applying(fixed.flatMap(\.fix), to: mended)
    let after = diagnose(trial)
    guard Self.errorCount(after) < Self.errorCount(remaining) else { return false }
    mended = trial
    solved += fixed
    remaining = after
    return true
  }

  private static func errorCount(_ diagnostics: [Diagnostic]) -> Int {
    diagnostics.count { $0.severity == .error }
  }

  /// Leaves out what would touch a place that another one changes.
  private static func withoutOverlaps(_ diagnostics: [Diagnostic]) -> [Diagnostic] {
    var taken: [String: [Range<Int>]] = [:]
    return diagnostics.filter { diagnostic in
      let isFree = diagnostic.fix.allSatisfy { edit in
        taken[edit.location.path, default: []].allSatisfy { !touches($0, edit.location.range) }
      }
      if isFree {
        for edit in diagnostic.fix {
          taken[edit.location.path, default: []].append(edit.location.range)
        }
      }
      return isFree
    }
  }

  private static func touches(_ left: Range<Int>, _ right: Range<Int>) -> Bool {
    if left.isEmpty || right.isEmpty {
      return left.lowerBound <= right.upperBound && right.lowerBound <= left.upperBound
    }
    return left.overlaps(right)
  }

  private static func applying(
    _ edits: [TextEdit], to files: [String: SourceFile]
  ) -> [String: SourceFile] {
    var result = files
    for (path, edits) in Dictionary(grouping: edits, by: \.location.path) {
      var bytes = edits[0].location.file.bytes
      for edit in edits.sorted(by: { $0.location.range.lowerBound > $1.location.range.lowerBound })
      {
        bytes.replaceSubrange(edit.location.range, with: Array(edit.replacement.utf8))
      }
      result[path] = SourceFile(path: path, bytes: bytes)
    }
    return result
  }
}
