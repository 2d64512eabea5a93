import Foundation
import RequestMatching
import SourceText

@testable import StubMappings

/// Folders that hold a body file called `body.bin`, and nothing else.
struct OneBodyFile: BodyFiles {
  func problem(withBodyFile name: String) -> (message: String, suggestions: [String])? {
    name == "body.bin" ? nil : ("The fixture \"\(name)\" does not exist.", ["body.bin"])
  }
}

/// Stubs as people write them, decoded.
func decodedStubs(_ texts: String...) -> (set: StubSet, messages: [String]) {
  var set = StubSet()
  let diagnostics = DiagnosticCollector()
  for text in texts {
    set.add(SourceFile(path: "stubs.json", text: text), bodyFiles: OneBodyFile(), diagnostics)
  }
  let messages = diagnostics.diagnostics.map { diagnostic in
    let place = diagnostic.location.map { "\($0.position.line):\($0.position.column): " } ?? ""
    let suggestions = diagnostic.suggestions.isEmpty ? "" : " → \(diagnostic.suggestions)"
    return place + diagnostic.message + suggestions
  }
  return (set, messages)
}

/// A request in one line: method, URL, then `Name: value` headers after ` | `, a body after ` -- `.
func request(_ text: String) -> MatchableRequest {
  let parts = text.components(separatedBy: " -- ")
  let words = parts[0].components(separatedBy: " | ")
  let line = words[0].split(separator: " ", maxSplits: 1)
  var headers: [String: String] = [:]
  for header in words.dropFirst() {
    let pair = header.components(separatedBy: ": ")
    headers[pair[0]] = pair.dropFirst().joined(separator: ": ")
  }
  return MatchableRequest(
    method: String(line[0]), url: String(line[1]), headers: headers,
    body: parts.count > 1 ? Array(parts[1].utf8) : nil)
}

extension StubReplay {
  /// What answers, in short: a body, `STATUS` where it is empty, a fault's or an error's name; `-`: nothing.
  func short(_ text: String) throws -> String {
    guard let response = try answer(to: request(text)) else { return "-" }
    switch response.outcome {
    case .message(let message):
      guard case .bytes(let bytes) = message.body else { return "file" }
      return bytes.isEmpty ? "\(message.status)" : String(decoding: bytes, as: UTF8.self)
    case .fault(let fault): return fault.rawValue
    case .failure(let error): return error.name
    }
  }
}

/// The pattern as an expectation has it: its keys beside `count`.
func expectationPattern(_ json: String) -> RequestPattern? {
  let pattern = RequestPatternShape.pattern
  let count = ObjectShape.Key("count", .wholeNumber, "", required: true)
  let shape = ObjectShape(
    pattern.name, keys: pattern.keys + [count], misplacedKeys: pattern.misplacedKeys)
  let text = json == "{}" ? #"{"count": 1}"# : #"{"count": 1, "# + json.dropFirst()
  let diagnostics = DiagnosticCollector()
  return JSONParser.parse(SourceFile(path: "expectation", text: text)).node
    .flatMap { ObjectReader($0, shape, diagnostics) }.flatMap { RequestPattern($0) }
}
