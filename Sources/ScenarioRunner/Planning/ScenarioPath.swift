/// A PATH of the command line: a file, a folder, or `file:line`.
package struct ScenarioPath: Sendable, Equatable {
  package var path: String
  package var line: Int?

  package init(_ text: String) {
    guard let colon = text.lastIndex(of: ":"), let line = Int(text[text.index(after: colon)...]),
      line > 0, colon != text.startIndex
    else {
      path = text
      return
    }
    path = String(text[..<colon])
    self.line = line
  }
}
