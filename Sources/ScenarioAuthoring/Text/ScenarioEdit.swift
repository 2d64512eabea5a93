import JSON
import SourceText

/// Changes of a scenario's text that leave everything else as it is: comments, order, layout.
///
/// Each change is carried out at once; places are those of the text as it is then.
package struct ScenarioEdit {
  /// The text as it is now.
  package private(set) var file: SourceFile
  /// Its tree, an object.
  package private(set) var root: JSONNode

  /// - Returns: `nil` where the file isn't a JSON object without mistakes.
  package init?(_ file: SourceFile) {
    let (node, problems) = JSONParser.parse(file)
    guard let node, problems.isEmpty, node.objectValue != nil else { return nil }
    self.file = file
    root = node
  }

  /// Where an action stands: its index in `actions`, then in those of the `repeat` that it is, and so on.
  package typealias ActionPath = [Int]

  package func action(at path: ActionPath) -> JSONNode? {
    path.reduce(root) { node, index in
      guard let actions = node?["actions"]?.arrayValue, actions.indices.contains(index) else {
        return nil
      }
      return actions[index]
    }
  }

  /// Whether the first action is `launch`.
  package var hasLaunch: Bool { action(at: [0])?["launch"] != nil }

  /// Changes the `sends` of an action, or adds them.
  package mutating func setSends(_ change: ListChange, ofActionAt path: ActionPath) {
    guard let action = action(at: path) else { return }
    set("sends", change, in: action)
  }

  /// Changes what the launch sends; the action for it is added where it is absent.
  package mutating func setLaunchSends(_ change: ListChange) {
    if hasLaunch { return setSends(change, ofActionAt: [0]) }
    let launch: JSONValue = ["launch": true, "sends": .array(change.added)]
    setActions(ListChange(prepended: [launch]))
  }

  package mutating func setActions(_ change: ListChange) { set("actions", change, in: root) }

  package mutating func setExpected(_ change: ListChange) { set("expected", change, in: root) }

  /// Adds names to `volatileParameters`.
  package mutating func addVolatileParameters(_ names: [String]) {
    let known = root["volatileParameters"]?.arrayValue?.compactMap(\.stringValue) ?? []
    let new = names.filter { !known.contains($0) }.map(JSONValue.string)
    guard !new.isEmpty else { return }
    if root["volatileParameters"] != nil {
      set("volatileParameters", ListChange(added: new), in: root)
    } else if let actions = root.objectValue?.first(where: { $0.key == "actions" }) {
      insert("volatileParameters", .array(new), before: actions)
    } else {
      append("volatileParameters", .array(new), to: root)
    }
  }

  private mutating func set(_ key: String, _ change: ListChange, in object: JSONNode) {
    guard let value = object[key] else {
      return append(key, .array(change.prepended + change.added), to: object)
    }
    guard value.arrayValue != nil else { return }
    apply(ListEditing(list: value, change: change).edits)
  }

  private mutating func apply(_ edits: [TextEdit]) {
    guard !edits.isEmpty else { return }
    let isWindows = TextSurroundings(file).hasWindowsLines
    let edits = edits.map { edit in
      isWindows
        ? TextEdit(edit.replacement.replacing("\n", with: "\r\n"), at: edit.location) : edit
    }
    let edited = SourceFile(path: file.path, bytes: TextEdit.applying(edits, to: file))
    guard let node = JSONParser.parse(edited).node else {
      preconditionFailure("An edit of \(file.path) has broken it.")
    }
    (file, root) = (edited, node)
  }

  // MARK: - Members

  private mutating func append(_ key: String, _ value: JSONValue, to object: JSONNode) {
    let text = TextSurroundings(file)
    guard let last = object.objectValue?.last else { return }
    let end = last.value.location.range.upperBound
    let start = last.keyLocation.range.lowerBound
    let member = "\(JSONValue.string(key).text()): "
    let line = member + JSONLayout.line(value)
    let isOneLine = text.line(of: object.location.range.lowerBound) == text.line(of: end - 1)
    if isOneLine, text.comma(after: end) == nil,
      text.length(ofLineAt: end) + line.count + 2 <= JSONLayout.width
    {
      return apply([text.insertion(", " + line, at: end)])
    }
    let beginsLine = text.beginsLine(start)
    // An object in the middle of a line is laid out as what that line begins.
    let indentation =
      beginsLine
      ? text.column(of: start) : text.indentation(ofLineAt: object.location.range.lowerBound) + 2
    let following =
      text.closes(object, inLineAt: end) ? text.length(ofLineAt: end) - text.column(of: end) : 0
    let written = JSONLayout.text(
      value, indentation: indentation, column: indentation + member.count, following: following)
    let addition = "\n" + JSONLayout.blanks(indentation) + member + written
    apply(text.edits(adding: addition, after: end, in: object, isClosed: true))
  }

  private mutating func insert(_ key: String, _ value: JSONValue, before member: JSONMember) {
    let text = TextSurroundings(file)
    let start = member.keyLocation.range.lowerBound
    let name = "\(JSONValue.string(key).text()): "
    let column = text.column(of: start)
    let written = JSONLayout.text(value, indentation: column, column: column + name.count)
    let separator = text.beginsLine(start) ? ",\n" + JSONLayout.blanks(column) : ", "
    apply([text.insertion(name + written + separator, at: start)])
  }
}

/// What becomes of a list.
package struct ListChange: Sendable {
  /// What becomes of an element that is there.
  package enum Entry: Sendable {
    case kept
    /// Its `count` alone is another one.
    case counted(Int)
    case replaced(JSONValue)
    case removed
  }

  /// One for each element that is there; those that are missing are kept.
  package var entries: [Entry]
  package var prepended: [JSONValue]
  package var added: [JSONValue]

  package init(entries: [Entry] = [], prepended: [JSONValue] = [], added: [JSONValue] = []) {
    self.entries = entries
    self.prepended = prepended
    self.added = added
  }

  /// Whether there is nothing to do for a list that is there.
  package var isEmpty: Bool {
    added.isEmpty && prepended.isEmpty
      && entries.allSatisfy { if case .kept = $0 { true } else { false } }
  }
}
