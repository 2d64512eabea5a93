import ScenarioCore

/// Requests on the page: when they were sent, by what, and in what they differ from the wanted one.
struct HTMLRequests {
  private let words: FindingText
  private let html: HTMLText
  private let differences: DifferenceText

  /// - Parameter outlet: hides the credentials of the result.
  init(_ outlet: Outlet) {
    words = FindingText(outlet, width: 2000)
    html = HTMLText(outlet)
    differences = DifferenceText(outlet, style: words.style, width: words.width)
  }

  /// - Parameters:
  ///   - count: how many there are, shown or not.
  ///   - shown: the URL that stands above, or the pattern: URLs are shown where one is another.
  func table(_ requests: [RequestSighting], of count: Int, below shown: String) -> [String] {
    guard !requests.isEmpty else { return [] }
    let hasURLs = !requests.allSatisfy { shown.hasSuffix($0.line) }
    let rows = requests.map { row($0, hasURL: hasURLs) }.joined(separator: "\n")
    let more = count - requests.count
    return [
      """
      <table class="requests">
      <thead><tr><th>sent at</th><th>by</th>\(hasURLs ? "<th>request</th>" : "")</tr></thead>
      <tbody>
      \(rows)
      </tbody>
      </table>
      """
    ] + (more > 0 ? ["<p>… and \(more) more</p>"] : [])
  }

  func nearMiss(_ miss: NearMiss) -> [String] {
    let times = miss.count == 1 ? "" : ", \(miss.count) times"
    let rows = miss.differences.map { difference in
      let (wanted, got) = differences.values(difference)
      return """
        <tr><th>\(html.short(differences.part(difference.part)))</th>\
        <td><del>\(html.short(wanted))</del></td>\
        <td><ins>\(html.short(got))</ins></td></tr>
        """
    }
    return [
      "<h4>Instead came\(times)</h4>",
      "<p><code>\(html.short(miss.request.line))</code></p>",
      """
      <table class="diff">
      <thead><tr><th></th><th>wanted</th><th>got</th></tr></thead>
      <tbody>
      \(rows.joined(separator: "\n"))
      </tbody>
      </table>
      """,
    ] + table([miss.request], of: 1, below: miss.request.line)
  }

  private func row(_ request: RequestSighting, hasURL: Bool) -> String {
    let time = request.sentAt.map { Seconds.text($0) } ?? "unknown"
    let note = words.outcomeWords(for: request)
    let url = hasURL ? "<td><code>\(html.short(request.line))</code></td>" : ""
    return """
      <tr><td class="time">\(time)</td><td>\(cause(request))\(html.line(note))</td>\(url)</tr>
      """
  }

  private func cause(_ request: RequestSighting) -> String {
    switch request.cause {
    case .launch?: "the launch"
    case .step(let step)?: html.short(words.name(of: step))
    case .shutdown?: "the app, after the last action"
    case nil: "unknown"
    }
  }
}
