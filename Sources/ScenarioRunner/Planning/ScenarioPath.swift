import ScenarioCore

/// A PATH of the command line: a file, a folder, or a place in a file as messages print it,
/// `file:line` or `file:line:column`.
package struct ScenarioPath: Sendable, Equatable {
  package var path: String
  package var line: Int?

  package init(path: String, line: Int? = nil) {
    self.path = path
    self.line = line
  }

  /// Reads a PATH. Its column says no more than its line; a file or folder of that very name is meant
  /// before a place in another.
  package init(_ text: String, among files: any FileAccess) {
    self.init(path: text)
    var numbers = 0
    while numbers < 2, files.kind(of: path) == nil, let place = Self.place(path) {
      self = place
      numbers += 1
    }
  }

  /// Takes the last number off; `nil` where there is none.
  private static func place(_ text: String) -> ScenarioPath? {
    guard let colon = text.lastIndex(of: ":"), let number = Int(text[text.index(after: colon)...]),
      number > 0, colon != text.startIndex
    else { return nil }
    return ScenarioPath(path: String(text[..<colon]), line: number)
  }
}
