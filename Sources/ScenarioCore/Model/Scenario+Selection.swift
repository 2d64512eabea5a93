import SourceText

extension Scenario {
  /// Whether `file:line` means this scenario.
  ///
  /// A scenario that is a case is meant by the lines of its own object or row alone.
  package func contains(line: Int, inFile path: String) -> Bool {
    location.contains(line: line, inFile: path)
  }
}
