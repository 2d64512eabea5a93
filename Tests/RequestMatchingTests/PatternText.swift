import RequestMatching
import SourceText

/// A pattern as people write it, decoded.
func decodedPattern(_ json: String) -> (pattern: RequestPattern?, messages: [String]) {
  let (node, mistakes) = JSONParser.parse(SourceFile(path: "pattern.json", text: json))
  let diagnostics = DiagnosticCollector()
  diagnostics.report(mistakes)
  let pattern = node.flatMap { ObjectReader($0, RequestPatternShape.pattern, diagnostics) }
    .flatMap { RequestPattern($0) }
  let messages = diagnostics.diagnostics.map { diagnostic in
    let place = diagnostic.location.map { "\($0.position.line):\($0.position.column): " } ?? ""
    return place + diagnostic.message
  }
  return (pattern, messages)
}

/// A request in one line: method, URL, then `Name: value` headers and a body after `--`.
func request(_ text: String) -> MatchableRequest {
  let parts = text.components(separatedBy: " -- ")
  let words = parts[0].components(separatedBy: " | ")
  let line = words[0].split(separator: " ", maxSplits: 1)
  var headers: [String: String] = [:]
  for header in words.dropFirst() {
    let pair = header.components(separatedBy: ": ")
    headers[pair[0]] = pair.dropFirst().joined(separator: ": ")
  }
  let method = line.count > 1 ? String(line[0]) : nil
  return MatchableRequest(
    method: method, url: String(line.last ?? ""), headers: headers,
    body: parts.count > 1 ? Array(parts[1].utf8) : nil)
}
