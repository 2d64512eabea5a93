import JSON
import SourceText

extension JSONStyle {
  /// JSON of a report, and JSON that is shown, on one line.
  ///
  /// What could move a cursor, turn a line around or hide in it is written as an escape, and so is the
  /// second half of `##`, by which CI servers know a command: a reader gets the same text, and a
  /// terminal that shows the file is safe.
  package static let report = JSONStyle { scalar, previous in
    scalar == "#" ? previous == "#" : Sanitizer.isDangerous(scalar)
  }

  /// The same, one member or element a line.
  package static let prettyReport = JSONStyle(isPretty: true, escapes: report.escapes)
}

extension JSONValue {
  /// One line of a report, without the newline. Its strings are masked, its keys are the report's own.
  func line(through outlet: Outlet) -> [UInt8] { shown(by: outlet).bytes(.report) }

  /// The same on as many lines as it takes, with a newline at its end.
  package func text(through outlet: Outlet) -> String {
    shown(by: outlet).text(.prettyReport) + "\n"
  }

  private func shown(by outlet: Outlet) -> JSONValue {
    map(string: outlet.masked, key: { $0 }, number: { .number($0) })
  }

  /// What an app said: its keys and numbers are masked as its strings are.
  func masked(by outlet: Outlet) -> JSONValue {
    map(string: outlet.masked, key: outlet.masked) { number in
      let text = outlet.masked(number.text)
      return text == number.text ? .number(number) : .string(text)
    }
  }

  private func map(
    string: (String) -> String, key: (String) -> String, number: (JSONNumber) -> JSONValue
  ) -> JSONValue {
    switch self {
    case .null, .bool: self
    case .number(let value): number(value)
    case .string(let text): .string(string(text))
    case .array(let elements):
      .array(elements.map { $0.map(string: string, key: key, number: number) })
    case .object(let object):
      .object(
        JSONObject(
          object.members.map { member in
            .init(key(member.key), member.value.map(string: string, key: key, number: number))
          }))
    }
  }

  /// Whole milliseconds are enough for people, and short.
  static func seconds(_ duration: Duration) -> JSONValue {
    .double((duration / .milliseconds(1)).rounded() / 1000)
  }
}
