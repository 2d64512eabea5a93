/// Finds the names that may have been meant by a misspelt one.
package enum Suggestions {
  /// The names closest to a word, best first.
  ///
  /// Close is what differs in at most a third of its letters (at least one, at most four), case set
  /// aside, and what is not much farther than the closest; two letters that changed places count as one difference.
  ///
  /// - Parameter limit: how many to return at most.
  package static func closest(
    to word: String, among names: some Sequence<String>, limit: Int = 3
  ) -> [String] {
    // Comparing takes time by the square; nobody misspells what is so long.
    guard word.utf8.count <= 200 else { return [] }
    let letters = Array(word.lowercased().unicodeScalars)
    let allowed = min(4, max(1, letters.count / 3))
    var found: [(name: String, distance: Int)] = []
    for name in names where name != word {
      let other = Array(name.lowercased().unicodeScalars)
      guard abs(other.count - letters.count) <= allowed else { continue }
      let distance = distance(letters, other)
      if distance <= allowed { found.append((name, distance)) }
    }
    found.sort { ($0.distance, $0.name) < ($1.distance, $1.name) }
    let best = found.first?.distance ?? 0
    return found.prefix(limit).prefix { $0.distance <= best + 1 }.map(\.name)
  }

  /// How many letters two words differ in, case set aside.
  package static func distance(_ left: String, _ right: String) -> Int {
    distance(Array(left.lowercased().unicodeScalars), Array(right.lowercased().unicodeScalars))
  }

  /// The optimal-string-alignment distance: insertions, deletions, replacements, swapped neighbours.
  static func distance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
    if left.isEmpty || right.isEmpty { return max(left.count, right.count) }
    var beforeLast = [Int](repeating: 0, count: right.count + 1)
    var last = Array(0...right.count)
    var row = last
    for i in 1...left.count {
      row[0] = i
      for j in 1...right.count {
        let replaced = last[j - 1] + (left[i - 1] == right[j - 1] ? 0 : 1)
        row[j] = min(replaced, last[j] + 1, row[j - 1] + 1)
        if i > 1, j > 1, left[i - 1] == right[j - 2], left[i - 2] == right[j - 1] {
          row[j] = min(row[j], beforeLast[j - 2] + 1)
        }
      }
      (beforeLast, last, row) = (last, row, beforeLast)
    }
    return last[right.count]
  }
}
