import ScenarioCore

/// Shows in which parts a request differs from the wanted one: what is wanted above what was sent.
struct DifferenceText {
  let outlet: Outlet
  let style: TextStyle
  let width: Int

  init(_ outlet: Outlet, style: TextStyle = TextStyle(isColored: false), width: Int = 200) {
    self.outlet = outlet
    self.style = style
    self.width = width
  }

  func lines(_ differences: [Difference]) -> [String] {
    differences.flatMap(lines)
  }

  /// The stub that a request came nearest to, and in what it differs, in one line.
  func line(_ stub: NearestStub) -> String {
    let place = "nearest: \(outlet.line(stub.source.path)):\(stub.source.line)"
    let name = stub.source.name.map { " (\(outlet.line($0)))" } ?? ""
    let differences = stub.differences.map { difference in
      let (wanted, got) = values(difference)
      return "\(part(difference.part)): wanted \(wanted), got \(got)"
    }
    let state = stub.requiredState.flatMap(\.required).map {
      ["it answers in the state \"\(outlet.line($0))\" alone"]
    }
    return ([place + name] + differences + (state ?? [])).joined(separator: ", ")
  }

  private func lines(_ difference: Difference) -> [String] {
    let (wanted, got) = values(difference)
    return [
      part(difference.part),
      style.paint("  - wanted \(wanted)", .green),
      style.paint("  + got    \(got)", .red),
    ]
  }

  /// What differs, in words.
  func part(_ part: Difference.Part) -> String {
    switch part {
    case .method: "method"
    case .scheme: "scheme"
    case .host: "host"
    case .port: "port"
    case .path: "path"
    case .url: "URL"
    case .fragment: "fragment"
    case .queryParameter(let name): "parameter \(outlet.line(name))"
    case .header(let name): "header \(outlet.line(name))"
    case .cookie(let name): "cookie \(outlet.line(name))"
    case .body(let path): "body \(outlet.line(path))"
    case .eventName: "event"
    case .eventMember(let path): outlet.line(path)
    }
  }

  /// What was wanted and what came; of long values the part around their first difference.
  func values(_ difference: Difference) -> (wanted: String, got: String) {
    // A part of a body, or of an event, is JSON already, its strings in quotes.
    let quote =
      switch difference.part {
      case .body, .eventMember: ""
      default: "\""
      }
    let got = difference.got.map(outlet.line)
    let wanted = difference.wanted.map(outlet.line)
    let value = difference.isCondition ? nil : wanted
    let excerpt = Excerpt(of: value ?? "", got ?? "", room: max(20, width - 12))
    func shown(_ text: String?) -> String {
      guard let text else { return "nothing" }
      let part = excerpt.part(of: text)
      return quote + part + quote + (part == text ? "" : " (\(text.count) characters)")
    }
    // Masked, two values can look the same.
    let isHidden = got != nil && got == wanted && difference.got != difference.wanted
    return (
      difference.isCondition ? wanted ?? "nothing" : shown(wanted),
      shown(got) + (isHidden ? " (another value)" : "")
    )
  }
}

/// Cuts two long texts at the same places, so that their first difference stays.
struct Excerpt {
  private let start: Int
  private let room: Int

  /// - Parameter room: how many characters of a text are shown.
  init(of first: String, _ second: String, room: Int) {
    // Characters can be equal that are written differently.
    let place = zip(first, second).prefix { $0.utf8.elementsEqual($1.utf8) }.count
    let longest = max(first.count, second.count)
    start = max(0, min(place - room / 3, longest - room))
    self.room = room
  }

  /// The part of one of them, with an ellipsis where something is left out.
  func part(of text: String) -> String {
    let part = text.dropFirst(start).prefix(room)
    let opening = part.startIndex == text.startIndex ? "" : "…"
    return opening + part + (part.endIndex == text.endIndex ? "" : "…")
  }
}
