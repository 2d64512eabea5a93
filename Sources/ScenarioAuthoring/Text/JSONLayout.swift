import JSON

/// Writes JSON as scenarios are laid out: what fits is one line, with blanks inside braces; an object that
/// doesn't is filled line by line, a list gets a line for each element.
package enum JSONLayout {
  /// Columns of a line at most, where a value allows it.
  package static let width = 100

  /// A value in one line.
  package static func line(_ value: JSONValue) -> String {
    switch value {
    case .array(let elements): "[" + elements.map(line).joined(separator: ", ") + "]"
    case .object(let object) where object.isEmpty: "{}"
    case .object(let object):
      "{ " + object.members.map { "\(key($0)) \(line($0.value))" }.joined(separator: ", ") + " }"
    default: value.text()
    }
  }

  /// A value in as many lines as it needs.
  ///
  /// - Parameters:
  ///   - indentation: columns before what begins a line of the value's own level.
  ///   - column: where its first character stands.
  ///   - following: characters that follow it in its last line.
  package static func text(
    _ value: JSONValue, indentation: Int, column: Int, following: Int = 0
  ) -> String {
    let line = line(value)
    if column + line.count + following <= width { return line }
    switch value {
    case .array(let elements)
    where elements.count == 1 && indentation + 3 + self.line(elements[0]).count > width:
      let element = text(
        elements[0], indentation: indentation, column: column + 1, following: following + 1)
      return "[" + element + "]"
    case .array(let elements) where !elements.isEmpty:
      let lines = elements.map {
        blanks(indentation + 2)
          + text($0, indentation: indentation + 2, column: indentation + 2, following: 1)
      }
      return "[\n" + lines.joined(separator: ",\n") + "\n" + blanks(indentation) + "]"
    case .object(let object) where !object.isEmpty:
      return filled(object, indentation, column, following)
    default: return line
    }
  }

  static func blanks(_ count: Int) -> String { String(repeating: " ", count: count) }

  /// The text with the lines after its first as far to the right, or to the left, as that goes.
  static func moved(_ text: String, from column: Int, to target: Int) -> String {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let rest = lines.dropFirst().map { line in
      let indentation = line.prefix { $0 == " " }.count
      return blanks(max(0, indentation + target - column)) + line.dropFirst(indentation)
    }
    return ([String(lines[0])] + rest).joined(separator: "\n")
  }

  private static func key(_ member: JSONObject.Member) -> String {
    JSONValue.string(member.key).text() + ":"
  }

  private static func filled(
    _ object: JSONObject, _ indentation: Int, _ column: Int, _ following: Int
  ) -> String {
    var text = "{ "
    var column = column + 2
    var mustBreak = false
    for (index, member) in object.members.enumerated() {
      let isLast = index == object.count - 1
      let after = isLast ? following + 2 : 1
      let name = key(member) + " "
      let length = name.count + line(member.value).count + after
      if index > 0 {
        if mustBreak || column + 1 + length > width {
          text += "\n" + blanks(indentation + 2)
          column = indentation + 2
        } else {
          text += " "
          column += 1
        }
      }
      let value = self.text(
        member.value, indentation: object.count == 1 ? indentation : indentation + 2,
        column: column + name.count, following: after)
      text += name + value + (isLast ? "" : ",")
      column += name.count + value.count + 1
      mustBreak = value.contains("\n")
    }
    return text + " }"
  }
}
