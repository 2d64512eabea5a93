import JSON
import ScenarioCore
import SourceText

/// What a session says of the launch, for a scenario that isn't a file yet: the keys of a scenario file.
enum PlaySetting: Equatable {
  case fixture(key: String, file: String)
  case stubs(file: String)
  case environment(name: String, value: String)

  static let commands = ["fixtures", "stubs", "environment"]

  /// - Returns: `nil` where the words are too few or too many.
  init?(_ words: [String]) {
    switch (words.first, words.count) {
    case ("fixtures", 3): self = .fixture(key: words[1], file: words[2])
    case ("stubs", 2): self = .stubs(file: words[1])
    case ("environment", 3): self = .environment(name: words[1], value: words[2])
    default: return nil
    }
  }

  /// How a command of this name is written.
  static func usage(_ command: String) -> String {
    switch command {
    case "fixtures": "fixtures KEY FILE"
    case "stubs": "stubs FILE"
    default: "environment NAME VALUE"
    }
  }

  var line: String {
    switch self {
    case .fixture(let key, let file): "fixtures \(key) \(file)"
    case .stubs(let file): "stubs \(file)"
    case .environment(let name, let value): "environment \(name) \(value)"
    }
  }

  /// The text of a scenario file without actions.
  static func text(_ settings: [PlaySetting]) -> String {
    var fixtures: JSONObject = [:]
    var stubs: [JSONValue] = []
    var environment: JSONObject = [:]
    for setting in settings {
      switch setting {
      case .fixture(let key, let file): fixtures[key] = .string(file)
      case .stubs(let file): stubs.append(.string(file))
      case .environment(let name, let value): environment[name] = .string(value)
      }
    }
    let file: JSONValue = [
      "fixtures": fixtures.isEmpty ? nil : .object(fixtures),
      "stubs": stubs.isEmpty ? nil : .array(stubs),
      "environment": environment.isEmpty ? nil : .object(environment), "actions": [],
    ]
    return file.text(.pretty) + "\n"
  }
}
