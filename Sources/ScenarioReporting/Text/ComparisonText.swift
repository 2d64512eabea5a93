import JSON
import ScenarioAuthoring
import ScenarioCore
import SourceText

/// What two apps send otherwise, for people, for a pull request, and for scripts.
package struct ComparisonText {
  private let outlet: Outlet
  private let words: DraftText
  private let style: TextStyle
  /// So many scenarios are named for each difference.
  private static let nameLimit = 10

  package init(_ outlet: Outlet, style: TextStyle) {
    self.outlet = outlet
    self.style = style
    words = DraftText(outlet, style: style)
  }

  /// - Parameter failures: why scenarios weren't compared.
  package func lines(_ comparison: AppComparison, failures: [String]) -> [String] {
    comparison.differences.flatMap { difference in
      [style.paint(title(difference), .bold)] + words.parts(difference.change).map { "  " + $0 }
        + ["  in " + names(difference.scenarios), ""]
    } + failures + (failures.isEmpty ? [] : [""]) + [summary(comparison)]
  }

  private func title(_ difference: AppComparison.Difference) -> String {
    let action = outlet.line(difference.action ?? "no action")
    return switch difference.change {
    case .added: "\(action): sent by the head alone"
    case .removed: "\(action): sent by the base alone"
    case .changed, .sendsNothing: "\(action): changed"
    }
  }

  private func names(_ scenarios: [ScenarioReference]) -> String {
    let more = scenarios.count - Self.nameLimit
    return Wording.counted(scenarios.count, "scenario") + ": "
      + scenarios.prefix(Self.nameLimit).map { outlet.line($0.selector) }.joined(separator: ", ")
      + (more > 0 ? ", and \(more) more" : "")
  }

  private func summary(_ comparison: AppComparison) -> String {
    let count = comparison.differences.count
    return (count == 0 ? "No differences" : Wording.counted(count, "difference")) + " in "
      + Wording.counted(comparison.scenarioCount, "scenario")
  }

  // MARK: - For a pull request

  /// Markdown as GitHub and GitLab render it.
  package func markdown(_ comparison: AppComparison, failures: [String]) -> [String] {
    ["### \(summary(comparison))", ""]
      + comparison.differences.flatMap { difference -> [String] in
        ["**\(Self.escaped(title(difference)))**", ""]
          + Self.fenced(words.parts(difference.change), as: "diff")
          + [Self.escaped("in " + names(difference.scenarios)), ""]
      } + failures.map { "- " + Self.escaped($0) }
  }

  /// In a fence that is longer than any in the text.
  private static func fenced(_ lines: [String], as language: String) -> [String] {
    let longest = lines.flatMap { $0.split(whereSeparator: { $0 != "`" }) }.map(\.count).max() ?? 0
    let fence = String(repeating: "`", count: max(3, longest + 1))
    return [fence + language] + lines + [fence, ""]
  }

  private static func escaped(_ text: String) -> String {
    text.reduce(into: "") { result, character in
      if "\\`*_{}[]<>#|~&".contains(character) { result.append("\\") }
      result.append(character)
    }
  }

  // MARK: - For scripts

  package func json(_ comparison: AppComparison, failures: [String]) -> String {
    let differences = comparison.differences.map { difference -> JSONValue in
      let change = DraftJSON.members(difference.change, outlet, old: "base", new: "head")
      return .object(
        ["action": difference.action.map(JSONValue.string)] + change
          + ["scenarios": .strings(difference.scenarios.map(\.selector))])
    }
    let value: JSONValue = [
      "scenarios": .integer(comparison.scenarioCount), "differences": .array(differences),
      "notCompared": .strings(failures),
    ]
    return value.text(through: outlet)
  }
}
