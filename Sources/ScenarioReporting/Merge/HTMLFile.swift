import JSON

/// The page of a shard that is read again.
package struct HTMLFile: ShardReport {
  package static let kindName = "page"

  package let path: String
  package let told: JSONValue?
  private let sections: [Section]

  /// A part of the page: the results of one kind, or what several have in common.
  private struct Section {
    var kinds: [String]
    /// With `h2` around it.
    var title: String
    var lines: [Substring] = []
  }

  package init(path: String, bytes: [UInt8]) throws(ReportFault) {
    self.path = path
    guard let page = String(validating: bytes, as: UTF8.self),
      let start = page.range(of: "\n<main>\n"), page.hasSuffix("</html>\n")
    else { throw ReportFault("\(path) isn't a page that scenario-run wrote.") }
    let line = page[..<start.lowerBound].split(separator: "\n")
      .first { $0.hasPrefix(HTMLPage.shardStart) }
    told = line.flatMap { MarkupTag($0)["content"] }.flatMap { try? JSONValue(parsing: $0) }
    sections = Self.sections(of: page[start.upperBound...])
  }

  /// Whatever an app says is escaped, so that no other line begins as these do.
  private static func sections(of page: Substring) -> [Section] {
    var sections: [Section] = []
    var depth = 0
    for line in page.split(separator: "\n", omittingEmptySubsequences: false) {
      let isStart = line.hasPrefix("<section class=\"")
      if isStart { depth += 1 }
      defer { if line == "</section>" { depth -= 1 } }
      if isStart, depth == 1 {
        let kinds = line.dropFirst("<section class=\"".count).prefix { $0 != "\"" }
        sections.append(Section(kinds: kinds.split(separator: " ").map(String.init), title: ""))
      } else if depth == 1, sections.last?.title == "" {
        sections[sections.count - 1].title = String(line)
      } else if depth > 1 || depth == 1 && line != "</section>" {
        sections[sections.count - 1].lines.append(line)
      }
    }
    return sections
  }

  /// The page has its results for people.
  package var resultCount: Int? { nil }

  /// The sections of one kind as one.
  package static func write(
    _ parts: [HTMLFile], as run: RunOutline, to sink: ReportSink
  ) throws {
    try HTMLPage(run).write(to: sink) {
      for kind in ["groups"] + HTMLPage.kinds {
        let same = parts.flatMap(\.sections).filter { $0.kinds.first == kind }
        guard let first = same.first else { continue }
        let kinds = same.flatMap(\.kinds).grouped { $0 }.map(\.key)
        try sink.write("<section class=\"\(kinds.joined(separator: " "))\">\n\(first.title)\n")
        for line in same.flatMap(\.lines) { try sink.write(line + "\n") }
        try sink.write("</section>\n")
      }
    }
  }
}
