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
    let index = root.objectValue?.firstIndex { $0.key == "actions" }
    if root["volatileParameters"] == nil, let index {
      edit(root) { $0.insert("volatileParameters", .array(new), at: index) }
    } else {
      set("volatileParameters", ListChange(added: new), in: root)
    }
  }

  private mutating func set(_ key: String, _ change: ListChange, in object: JSONNode) {
    guard let value = object[key] else {
      return edit(object) { $0.append(key, .array(change.prepended + change.added)) }
    }
    if value.arrayValue != nil { edit(value) { $0.apply(change) } }
  }

  /// - Parameter container: a list or an object of the file as it is now.
  private mutating func edit(_ container: JSONNode, _ change: (inout ContainerText) -> Void) {
    var text = ContainerText(container)
    change(&text)
    let bytes = file.bytes
    let hasWindowsLines = bytes.firstIndex(of: UInt8(ascii: "\n")).map { feed in
      feed > 0 && bytes[feed - 1] == UInt8(ascii: "\r")
    }
    // Line breaks of Windows are one character, which this leaves as it is.
    let written = hasWindowsLines == true ? text.text.replacing("\n", with: "\r\n") : text.text
    let edited = SourceFile(
      path: file.path,
      bytes: TextEdit.applying([TextEdit(written, at: container.location)], to: file))
    guard let node = JSONParser.parse(edited).node else {
      preconditionFailure("An edit of \(file.path) has broken it.")
    }
    (file, root) = (edited, node)
  }
}

/// What becomes of a list.
package struct ListChange: Sendable {
  /// What becomes of an element that is there.
  package enum Entry: Sendable {
    /// Its `count` alone is another one.
    case counted(Int)
    case replaced(JSONValue)
    case removed
  }

  /// By their indices; others are kept.
  package var entries: [Int: Entry]
  package var prepended: [JSONValue]
  package var added: [JSONValue]

  package init(
    entries: [Int: Entry] = [:], prepended: [JSONValue] = [], added: [JSONValue] = []
  ) {
    self.entries = entries
    self.prepended = prepended
    self.added = added
  }

  /// Whether there is nothing to do for a list that is there.
  package var isEmpty: Bool { added.isEmpty && prepended.isEmpty && entries.isEmpty }
}
