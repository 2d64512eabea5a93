import HarnessProtocol
import JSON
import ScenarioCore
import ScenarioReporting
import SourceText

extension PlaySession {
  /// A command of the session itself.
  private enum Command: String, CaseIterable {
    case screen, undo, save, restore, discard, help, quit
  }

  /// Does what a line says.
  ///
  /// - Returns: whether to go on.
  func take(_ line: String) throws -> Bool {
    let words = line.split(whereSeparator: \.isWhitespace).map(String.init)
    guard let first = words.first, !first.hasPrefix("#") else { return true }
    // A terminal sends an arrow key as ESC [ A.
    if line.utf8.contains(0x1B) {
      try display.say(["Arrow keys don't work here. Type the whole command, or \"undo\"."])
    } else if let command = Command(rawValue: first == "exit" ? "quit" : first) {
      return try take(command, words)
    } else if PlaySetting.commands.contains(first) {
      if let setting = PlaySetting(words) {
        try change(setting)
      } else {
        try display.say(["\"\(first)\" is written like this: \(PlaySetting.usage(first))"])
      }
    } else {
      try act(line)
    }
    return true
  }

  private func take(_ command: Command, _ words: [String]) throws -> Bool {
    switch command {
    case .screen: try display.showScreen()
    case .undo: try undo()
    case .save: try save(to: words.dropFirst().first)
    case .restore: try restore()
    case .discard: try discard()
    case .help: try help()
    case .quit: return false
    }
    return true
  }

  /// An action, as in a scenario.
  private func act(_ text: String) throws {
    let line = SourceFile(path: "command", text: text)
    let (action, diagnostics) = project.decoder.action(
      typed: line, for: file.path, firstID: nextID, element: display.element)
    guard let action else { return try complain(diagnostics, text) }
    let title = action.steps.count == 1 ? action.steps[0].title : text
    try perform(
      Entry(
        line: action.json.text(), title: title, action: action.json, steps: action.steps))
  }

  private func complain(_ diagnostics: [Diagnostic], _ text: String) throws {
    try display.explain(diagnostics)
    let word = String(text.prefix { !$0.isWhitespace })
    let isOnScreen = display.outline?.paths.contains { $0.description == word } == true
    if isOnScreen { return try display.say(["To tap it: tap \(word)"]) }
    let names = Command.allCases.map(\.rawValue) + PlaySetting.commands
    let close = Suggestions.closest(to: word, among: names, limit: 1)
    guard diagnostics.allSatisfy(\.suggestions.isEmpty), !close.isEmpty else { return }
    try display.say([Wording.didYouMean(close).capitalizedFirst])
  }

  // MARK: - What an earlier session left

  func tellEarlierDraft() throws {
    guard let earlier = draft.earlier else { return }
    let left =
      earlier.count == 1
      ? "1 command that wasn't saved: \"restore\" does it again, \"discard\" removes it."
      : "\(earlier.count) commands that weren't saved: \"restore\" does them again, \"discard\" "
        + "removes them."
    try display.say(["An earlier session left \(left)"])
  }

  private func restore() throws {
    guard draft.earlier != nil else {
      return try display.say(["There is nothing to restore."])
    }
    pendingLines = draft.take()
    while !pendingLines.isEmpty { _ = try take(pendingLines.removeFirst()) }
  }

  private func discard() throws {
    guard draft.earlier != nil else {
      return try display.say(["No earlier session left anything to discard."])
    }
    _ = draft.take()
    try keepDraft()
    try display.say(["Removed."])
  }

  // MARK: - Help

  private func help() throws {
    let verbs = ActionShapes.all.map { shape in
      let keys = shape.furtherKeys.map { key in
        let words = key.name + key.kind.placeholder
        return key.isRequired ? " \(words)" : " [\(words)]"
      }
      return (shape.name + shape.kind.placeholder + keys.joined(), shape.object.keys[0].summary)
    }
    let own = [
      ("3", "Taps the element with the number 3; numbers stand for elements everywhere."),
      ("screen", "Lists all elements on screen with their numbers."),
      ("undo", "Takes the last command back: restarts the app and repeats the others."),
      ("save [FILE]", "Writes the scenario, with what each action sent, and runs it."),
      ("restore", "Repeats the unsaved commands of an earlier session."),
      ("discard", "Deletes the unsaved commands of an earlier session."),
      ("quit", "Ends the session."),
    ]
    let launch = [
      ("fixtures KEY FILE", "Gives the app a file of the fixtures folder for a launch key."),
      ("stubs FILE", "Answers requests from a stub file or a capture."),
      ("environment NAME VALUE", "Sets a variable of the app's environment."),
    ]
    try display.say(
      ["What the session does:"] + WordWrap.table(own)
        + ["How the app is launched, while the scenario isn't a file yet:"] + WordWrap.table(launch)
        + ["What a user does, as in a scenario; a text with spaces may be in quotes:"]
        + WordWrap.table(verbs))
  }
}

extension ValueKind {
  /// What the help writes for a value, after a space; nothing for a verb that has none.
  fileprivate var placeholder: String {
    switch self {
    case .yes: ""
    case .text(let form): form.description.contains("element") ? " ELEMENT" : " URL"
    case .string, .nonEmptyString: " TEXT"
    case .number: " SECONDS"
    case .integer: " NUMBER"
    case .boolean: " true|false"
    case .choice(let words): " " + words.joined(separator: "|")
    case .either: " JSON|FILE"
    default: " JSON"
    }
  }
}
