import JSON
import ScenarioCore
import SourceText

/// What a session says of the launch, for a scenario that isn't a file yet: the keys of a scenario file.
struct PlaySetting {
  /// What follows each command.
  private static let values = [
    "fixtures": ["KEY", "FILE"], "stubs": ["FILE"], "environment": ["NAME", "VALUE"],
  ]

  static let commands = ["fixtures", "stubs", "environment"]

  /// The command and its values.
  private let words: [String]

  /// - Returns: `nil` where the words are too few or too many.
  init?(_ words: [String]) {
    guard let command = words.first, Self.values[command]?.count == words.count - 1 else {
      return nil
    }
    self.words = words
  }

  /// How a command of this name is written.
  static func usage(_ command: String) -> String {
    ([command] + (values[command] ?? [])).joined(separator: " ")
  }

  var line: String { words.joined(separator: " ") }

  /// The text of a scenario file without actions.
  static func text(_ settings: [PlaySetting]) -> String {
    var file: JSONObject = [:]
    for key in commands {
      for words in settings.map(\.words) where words[0] == key {
        let last = JSONValue.string(words[words.count - 1])
        if words.count == 2 {
          file[key] = .array((file[key]?.array ?? []) + [last])
        } else {
          var object = file[key]?.object ?? [:]
          object[words[1]] = last
          file[key] = .object(object)
        }
      }
    }
    file["actions"] = []
    return JSONValue.object(file).text(.pretty) + "\n"
  }
}
