import SourceText

/// A line of the log that GitHub Actions obeys: `::error file=a.json,line=3::message`.
struct WorkflowCommand {
  enum Kind: String {
    case error, warning, notice
  }

  /// The runner cuts longer messages (`ExecutionContext.cs` of actions/runner), in UTF-16 units.
  static let messageLimit = 4096
  /// Of an annotation (GitHub's REST API for check runs).
  static let titleLimit = 255

  var kind: Kind
  /// Relative to the workspace; `nil` for the run as a whole.
  var file: String?
  var position: SourcePosition?
  var title: String
  var message: String

  /// The command, without the newline.
  var line: String {
    let properties: [(String, String?)] = [
      ("file", file), ("line", position.map { "\($0.line)" }),
      ("col", position.map { "\($0.column)" }), ("title", title.cut(toUTF16: Self.titleLimit)),
    ]
    let told = properties.compactMap { name, value in
      value.map { "\(name)=\(Self.escapedProperty($0))" }
    }
    let message = Self.escapedMessage(self.message.cut(toUTF16: Self.messageLimit))
    return "::\(kind.rawValue) \(told.joined(separator: ","))::\(message)"
  }

  /// As `toolkit`'s `core` escapes it: a line break would end the command.
  static func escapedMessage(_ text: String) -> String {
    escaped(text) { character in
      switch character {
      case "%": "%25"
      case "\r": "%0D"
      case "\n": "%0A"
      default: nil
      }
    }
  }

  /// In a property what parts properties is escaped as well.
  static func escapedProperty(_ text: String) -> String {
    escaped(escapedMessage(text)) { character in
      switch character {
      case ":": "%3A"
      case ",": "%2C"
      default: nil
      }
    }
  }

  private static func escaped(
    _ text: String, _ escape: (Unicode.Scalar) -> String?
  ) -> String {
    text.unicodeScalars.map { escape($0) ?? String($0) }.joined()
  }
}

extension String {
  /// The beginning, of at most so many UTF-16 units, with an ellipsis where something is left out.
  func cut(toUTF16 limit: Int) -> String {
    guard utf16.count > limit else { return self }
    var units = 1
    return String(
      prefix { character in
        units += character.utf16.count
        return units <= limit
      }) + "…"
  }
}
