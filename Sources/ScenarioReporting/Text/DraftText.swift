import JSON
import RequestMatching
import ScenarioAuthoring
import ScenarioCore

/// Words the differences between a scenario and its draft.
package struct DraftText {
  let outlet: Outlet
  let style: TextStyle

  package init(_ outlet: Outlet, style: TextStyle = TextStyle(isColored: false)) {
    self.outlet = outlet
    self.style = style
  }

  /// What causes a difference, then old and new part by part, then what to look at.
  package func lines(_ difference: DraftDifference) -> [String] {
    ["\(difference.number). \(title(difference))"]
      + parts(difference.change).map { "     " + $0 }
      + difference.concerns.map { "   " + style.paint("! " + words(for: $0), .yellow) }
  }

  /// All of them, indented.
  package func text(_ differences: [DraftDifference]) -> String {
    differences.flatMap(lines).map { "  \($0)\n" }.joined()
  }

  private func title(_ difference: DraftDifference) -> String {
    let place = place(difference.place)
    let subject = if case .action = difference.place { place + "," } else { place }
    switch (difference.place, difference.change) {
    case (.volatileParameters, _): return "\(place) varies from run to run, or holds a secret:"
    case (.expected, .added): return "\(place): sent, and not expected so far"
    case (.expected, .removed): return "\(place): expected, and not sent like that"
    case (_, .added): return "\(subject) sends"
    case (_, .removed): return "\(subject) doesn't send like that any more"
    case (_, .changed): return "\(place): changed"
    case (_, .sendsNothing): return "\(subject) sends nothing"
    }
  }

  package func place(_ place: DraftPlace) -> String {
    switch place {
    case .launch: "the launch"
    case .action(let path, let title):
      "action \(path.map { "\($0 + 1)" }.joined(separator: ".")), \(outlet.line(title))"
    case .expected: "the scenario"
    case .volatileParameters: "a query parameter"
    }
  }

  package func words(for concern: DraftDifference.Concern) -> String {
    switch concern {
    case .sentTwice(2): "sent twice by one action"
    case .sentTwice(let count): "sent \(count) times by one action"
    case .secrets(let names):
      "it holds a secret: " + Wording.list(names.map { "\"\(outlet.line($0))\"" })
    case .lint(let hits):
      hits.map { hit in
        var flaw = DataFlaw(rule: .lint(hit.rule), part: hit.part, value: hit.value)
        flaw.count = 1
        return FindingText(outlet).title(flaw)
      }.joined(separator: "; ")
    }
  }

  /// What a draft doesn't say, and why.
  package func words(for omission: ExpectationDraft.Omission) -> String {
    switch omission {
    case .binaryBody(let count, _): "a body of \(count) bytes isn't text, so it isn't compared"
    case .volatileBody: "a body varies from run to run and isn't JSON, so it isn't compared"
    case .secretBody: "a body holds a secret, so it isn't compared"
    }
  }

  // MARK: - Parts

  func parts(_ change: DraftDifference.Change) -> [String] {
    switch change {
    case .sendsNothing: []
    case .added(let value): Part.all(of: value).map { style.paint("+ " + line($0), .green) }
    case .removed(let value): Part.all(of: value).map { style.paint("- " + line($0), .red) }
    case .changed(let old, let new): changed(Part.all(of: old), Part.all(of: new))
    }
  }

  private func line(_ part: Part) -> String {
    outlet.line(part.name.isEmpty ? part.value : "\(part.name): \(part.value)")
  }

  /// What is the same once, what isn't side by side.
  private func changed(_ old: [Part], _ new: [Part]) -> [String] {
    let names =
      old.map(\.name) + new.map(\.name).filter { name in !old.contains { $0.name == name } }
    return names.compactMap { name in
      let (left, right) = (old.first { $0.name == name }, new.first { $0.name == name })
      let prefix = name.isEmpty ? "" : outlet.line(name) + ": "
      let (before, after) = (
        left.map(\.value).map(outlet.line), right.map(\.value).map(outlet.line)
      )
      if left?.value == right?.value {
        return left?.isHeader == true ? nil : "  " + prefix + (before ?? "")
      }
      return style.paint("~ ", .yellow) + prefix + style.paint(before ?? "nothing", .red) + " → "
        + style.paint(after ?? "nothing", .green)
    }
  }
}

/// A part of an expectation with its name, as it is compared.
private struct Part {
  /// Empty for the URL up to its query.
  var name: String
  var value: String
  /// A header that is the same isn't worth a line.
  var isHeader = false

  static func all(of value: JSONValue) -> [Part] {
    guard let object = value.object else { return [Part(name: "", value: value.string ?? "")] }
    return object.members.flatMap { member -> [Part] in
      switch (member.key, member.value) {
      case ("url", .string(let text)): url(text)
      case ("method", .string(let text)): [Part(name: "method", value: text)]
      case ("queryParameters", .object(let matchers)):
        matchers.members.map { Part(name: "parameter \($0.key)", value: $0.value.text()) }
      case ("headers", .object(let headers)):
        headers.members.map { header in
          Part(
            name: "header \(header.key)",
            value: header.value["equalTo"]?.string ?? header.value.text(), isHeader: true)
        }
      case ("bodyPatterns", .array(let matchers)): matchers.flatMap(body)
      case ("where", .object(let conditions)):
        conditions.members.map { Part(name: $0.key, value: $0.value.string ?? $0.value.text()) }
      case (let key, .string(let text)): [Part(name: key, value: text)]
      default: [Part(name: member.key, value: member.value.text())]
      }
    }
  }

  private static func url(_ text: String) -> [Part] {
    let url = RequestURL(text)
    let base = Part(name: "", value: String(decoding: url.upToPath, as: UTF8.self))
    let parameters = url.queryItems.map { item in
      Part(
        name: "parameter " + String(decoding: item.name, as: UTF8.self),
        value: String(decoding: item.value, as: UTF8.self))
    }
    let fragment = url.fragment.map {
      [Part(name: "fragment", value: String(decoding: $0, as: UTF8.self))]
    }
    return [base] + parameters + (fragment ?? [])
  }

  private static func body(_ matcher: JSONValue) -> [Part] {
    guard let wanted = matcher["equalToJson"] else {
      return [Part(name: "body", value: matcher["equalTo"]?.string ?? matcher.text())]
    }
    return leaves(wanted, "$")
  }

  private static func leaves(_ value: JSONValue, _ path: String) -> [Part] {
    switch value {
    case .object(let object) where !object.isEmpty:
      object.members.flatMap { leaves($0.value, "\(path).\($0.key)") }
    case .array(let elements) where !elements.isEmpty:
      elements.enumerated().flatMap { leaves($1, "\(path)[\($0)]") }
    default: [Part(name: "body \(path)", value: value.string ?? value.text())]
    }
  }
}

/// Drafts as data, for CI and for scripts.
package enum DraftJSON {
  /// One file with its differences; its keys are the draft's own.
  package static func file(
    _ path: String, _ differences: [DraftDifference], _ outlet: Outlet
  ) -> JSONValue {
    let text = DraftText(outlet)
    let found = differences.map { difference -> JSONValue in
      .object(
        ["number": .integer(difference.number)] + place(difference.place)
          + ["change": .string(word(difference.change))] + members(difference.change, outlet)
          + ["concerns": .strings(difference.concerns.map(text.words))])
    }
    return ["file": .string(path), "differences": .array(found)]
  }

  private static func place(_ place: DraftPlace) -> JSONObject {
    switch place {
    case .launch: ["place": "launch"]
    case .action(let path, let title):
      [
        "place": "action", "action": .array(path.map { .integer($0 + 1) }),
        "title": .string(title),
      ]
    case .expected: ["place": "expected"]
    case .volatileParameters: ["place": "volatileParameters"]
    }
  }

  private static func word(_ change: DraftDifference.Change) -> String {
    switch change {
    case .added: "added"
    case .removed: "removed"
    case .changed: "changed"
    case .sendsNothing: "sendsNothing"
    }
  }

  /// The values that a change is about.
  static func members(
    _ change: DraftDifference.Change, _ outlet: Outlet, old: String = "old", new: String = "new"
  ) -> JSONObject {
    switch change {
    case .added(let value): [new: value.masked(by: outlet)]
    case .removed(let value): [old: value.masked(by: outlet)]
    case .changed(let before, let after):
      [old: before.masked(by: outlet), new: after.masked(by: outlet)]
    case .sendsNothing: [:]
    }
  }
}
