import SourceText

extension Scenario {
  /// Whether `file:line` means this scenario.
  ///
  /// A scenario that is a case is meant by the lines of its own object or row alone.
  package func contains(line: Int, inFile path: String) -> Bool {
    guard location.path == path else { return false }
    let file = location.file
    let last = max(location.range.lowerBound, location.range.upperBound - 1)
    return (file.line(at: location.range.lowerBound)...file.line(at: last)).contains(line)
  }
}
