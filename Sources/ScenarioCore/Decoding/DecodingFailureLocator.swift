import HarnessProtocol
import SourceText

/// Finds in a file that people write what an app couldn't decode of it.
package struct DecodingFailureLocator {
  private let fixtures: FixturesFolder
  private let shownFolder: String

  /// In a larger file nobody looks for the value: only its stub or its captured exchange is named.
  private static let sizeLimitBytes = 32 * 1024 * 1024

  /// - Parameter shownFolder: the fixtures folder as messages show it.
  package init(_ fixtures: FixturesFolder, shownFolder: String) {
    self.fixtures = fixtures
    self.shownFolder = shownFolder
  }

  /// What is wrong, at the place where it is written if that can be found.
  package func diagnostic(for failure: DecodingFailure) -> Diagnostic {
    guard let name = failure.file, fixtures.problem(with: name) == nil,
      let bytes = try? fixtures.files.bytes(
        ofFile: FilePath.join(fixtures.path, name), limitBytes: FileLimits.fixtureBytes)
    else {
      return Diagnostic(
        .warning, "The app couldn't decode what it got: \(failure.message)",
        path: failure.file ?? "")
    }
    let file = SourceFile(path: FilePath.join(shownFolder, name), bytes: bytes)
    guard let offset = failure.offset, offset < bytes.count else {
      return DecodedText(file).diagnostic(for: failure)
    }
    let place = SourceLocation(file: file, range: offset..<offset + 1)
    guard bytes.count <= Self.sizeLimitBytes, let root = JSONParser.parse(file).node,
      let text = Self.stubbedText(root, at: offset, failure.response)
    else {
      return Diagnostic(
        .warning, "The app couldn't decode this answer: \(failure.message)", at: place)
    }
    return text.diagnostic(for: failure)
  }

  /// The body that a file of stubs or a capture gives, where it is text.
  private static func stubbedText(
    _ root: JSONNode, at offset: Int, _ response: Int
  ) -> DecodedText? {
    func holder(_ nodes: [JSONNode]?) -> JSONNode? {
      nodes?.first { $0.location.range.contains(offset) }
    }
    if let entry = holder(root["log"]?["entries"]?.arrayValue) {
      let content = entry["response"]?["content"]
      return content?["encoding"] == nil ? content?["text"].flatMap(DecodedText.init(inside:)) : nil
    }
    guard let mapping = holder(root["mappings"]?.arrayValue ?? [root]) else { return nil }
    let responses = mapping["responses"]?.arrayValue ?? [mapping["response"]].compactMap(\.self)
    guard responses.indices.contains(response) else { return nil }
    return responses[response]["jsonBody"].map(DecodedText.init)
      ?? responses[response]["body"].flatMap(DecodedText.init(inside:))
  }
}

/// JSON that an app got: a file, a value in one, or what is in a string of one.
private struct DecodedText {
  private let root: JSONNode?
  private let mistake: Diagnostic?
  /// The string that the text is in.
  private var literal: JSONNode?

  init(_ file: SourceFile) {
    let (node, diagnostics) = JSONParser.parse(file)
    (root, mistake) = (node, diagnostics.first { $0.severity == .error })
  }

  init(_ value: JSONNode) { (root, mistake) = (value, nil) }

  init?(inside literal: JSONNode) {
    guard let text = literal.stringValue else { return nil }
    self.init(SourceFile(path: literal.location.path, text: text))
    self.literal = literal
  }

  private func place(_ location: SourceLocation) -> SourceLocation {
    literal?.location(ofContent: location.range) ?? location
  }

  func diagnostic(for failure: DecodingFailure) -> Diagnostic {
    if let mistake, let location = mistake.location {
      return Diagnostic(
        .warning, "This isn't valid JSON, so the app couldn't decode it. \(mistake.message)",
        at: place(location))
    }
    guard let root else {
      return Diagnostic(
        .warning, "This isn't valid JSON: \(failure.message)", path: mistake?.path ?? "")
    }
    let (node, name, isWhole) = root.value(at: failure.path)
    let label = name.isEmpty ? "" : "\(name): "
    if let key = failure.missingKey, isWhole, let members = node.objectValue {
      return Diagnostic(
        .warning, "\(label)\"\(key)\" is missing", at: place(ObjectReader.opening(of: node)),
        suggestions: Suggestions.closest(to: key, among: members.map(\.key)))
    }
    guard let expected = failure.expected, isWhole else {
      return Diagnostic(.warning, "\(label)\(failure.message)", at: place(node.location))
    }
    return Diagnostic(
      .warning, "\(label)expected \(expected.words), found \(node.sort)", at: place(node.location))
  }
}

extension JSONNode {
  /// The value that a path leads to, as far as it does, with its name.
  fileprivate func value(
    at path: [DecodingFailure.Step]
  ) -> (node: JSONNode, name: String, isWhole: Bool) {
    var (node, name) = (self, "")
    for step in path {
      let inner: JSONNode?
      switch (step, node.value) {
      case (.index(let index), .array(let elements)):
        inner = elements.indices.contains(index) ? elements[index] : nil
        name = "entry \(index + 1)" + (name.isEmpty ? "" : " of \(name)")
      case (.index(let index), _):
        inner = node[String(index)]
        name = "\"\(index)\""
      case (.key(let key), _):
        inner = node[key]
        name = "\"\(key)\""
      }
      guard let inner else { return (node, name, false) }
      node = inner
    }
    return (node, name, true)
  }

  /// What it is, without its content.
  fileprivate var sort: String {
    switch value {
    case .string: "a string"
    case .number: "a number"
    case .null, .bool, .array, .object, .invalid: foundDescription
    }
  }
}

extension DecodingFailure.Kind {
  fileprivate var words: String {
    switch self {
    case .string: "a string"
    case .number: "a number"
    case .boolean: "true or false"
    case .list: "a list"
    case .object: "an object"
    }
  }
}
