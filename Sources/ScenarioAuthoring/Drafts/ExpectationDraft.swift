import HarnessProtocol
import JSON
import RequestMatching
import SourceText

/// An expectation that is drafted from requests which were sent.
package struct ExpectationDraft: Sendable, Equatable {
  /// What a draft doesn't say of its requests.
  package enum Omission: Sendable, Equatable {
    /// The body isn't text.
    case binaryBody(byteCount: Int, hash: UInt64)
    /// The body varies, and isn't JSON.
    case volatileBody
    /// The body holds a credential.
    case secretBody
  }

  /// The request pattern; of its strings `${` is written as `$${`.
  package var pattern: JSONObject
  package var count: Int
  package var omission: Omission?

  /// As it stands in a list of expectations.
  package var json: JSONValue { .object(pattern + ["count": .integer(count)]) }

  /// Equal requests are one draft with their number, in the order of the first of each.
  ///
  /// - Parameter volatile: the query parameters that the scenario sets aside.
  package static func drafts(
    of requests: [RecordedRequest], ignoring volatile: VolatileParameters = .none
  ) -> [ExpectationDraft] {
    drafts(of: requests.map { RequestOutline($0) }, ignoring: volatile)
  }

  /// - Parameter inferred: query parameters that the scenario will set aside.
  static func drafts(
    of outlines: [RequestOutline], ignoring volatile: VolatileParameters,
    inferred: VolatileParameters = .none
  ) -> [ExpectationDraft] {
    var drafts: [ExpectationDraft] = []
    var places: [JSONObject: Int] = [:]
    for outline in outlines {
      let pattern = outline.pattern(ignoring: volatile, inferred: inferred)
      if let place = places[pattern] {
        drafts[place].count += 1
      } else {
        places[pattern] = drafts.count
        drafts.append(ExpectationDraft(pattern: pattern, count: 1, omission: outline.omission))
      }
    }
    return drafts
  }

  /// The pattern as it is read from a scenario.
  var decodedPattern: RequestPattern? {
    let text = JSONValue.object(pattern).text().replacing("$${", with: "${")
    guard let node = JSONParser.parse(SourceFile(path: "", text: text)).node,
      let reader = ObjectReader(node, RequestPatternShape.pattern, DiagnosticCollector()),
      var decoded = RequestPattern(reader)
    else { return nil }
    decoded.method = decoded.method ?? "GET"
    return decoded
  }
}

/// What of a request an expectation says, part by part, so that a part can be given up.
struct RequestOutline: Sendable, Equatable {
  /// What stands between the slashes of the URL before its query: the scheme, nothing, the host, then the
  /// parts of the path.
  enum Segment: Sendable, Equatable {
    case literal(String)
    /// Whatever stands up to the next `/`.
    case any
    /// Something else between what stands before and after it: a password.
    case part(before: String, after: String)
  }

  enum Body: Sendable, Equatable {
    case none
    /// Placeholders of JsonUnit stand for what isn't compared.
    case json(JSONValue)
    case text(String)
    case omitted(ExpectationDraft.Omission)
  }

  struct Parameter: Sendable, Equatable {
    /// As it was sent.
    var raw: String
    /// Decoded; `nil` where it isn't text.
    var name: String?
    var value: String?
    /// Whether a draft may not show the value.
    var isSecret = false
    /// Whether the value was the same in each run.
    var isStable = true

    init(_ item: QueryItem) {
      raw = String(decoding: item.raw, as: UTF8.self)
      name = String(validating: item.name, as: UTF8.self)
      value = String(validating: item.value, as: UTF8.self)
    }
  }

  var method: String
  var segments: [Segment]
  /// `nil` where the URL has no `?`.
  var parameters: [Parameter]?
  /// With its `#`.
  var fragment: String
  var body: Body
  /// What matches them, by their names in small letters; empty where nobody asks for headers.
  var headers: JSONObject = [:]
  /// Whether what is known of a body is said that no expectation can ask for.
  var tellsOmitted = false

  /// Says of each parameter that is so what `note` says.
  ///
  /// - Returns: their names.
  mutating func mark(
    _ note: WritableKeyPath<Parameter, Bool>, _ value: Bool,
    where isSo: (_ name: String, _ value: String) -> Bool
  ) -> Set<String> {
    var names: Set<String> = []
    parameters = parameters?.map { parameter in
      guard let name = parameter.name, isSo(name, parameter.value ?? "") else { return parameter }
      names.insert(name)
      var parameter = parameter
      parameter[keyPath: note] = value
      return parameter
    }
    return names
  }

  init(_ request: RecordedRequest) {
    let matchable = MatchableRequest(request)
    let url = matchable.url
    method = matchable.method
    segments = url.upToPath.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
      .map { .literal(String(decoding: $0, as: UTF8.self)) }
    parameters = url.query.map { query in
      query.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
        .map { Parameter(QueryItem(raw: $0)) }
    }
    fragment = url.fragment.map { "#" + String(decoding: $0, as: UTF8.self) } ?? ""
    body = Self.body(matchable)
  }

  private static func body(_ request: MatchableRequest) -> Body {
    // Nobody looks at the body of a GET.
    guard request.method != "GET", let sent = request.body, !sent.isEmpty else { return .none }
    if let json = request.bodyJSON, json.isContainer, json.canBeWanted { return .json(json) }
    let bytes = request.decodedBody.bytes
    guard request.decodedBody.problem == nil, let text = String(validating: bytes, as: UTF8.self)
    else { return .omitted(.binaryBody(byteCount: sent.count, hash: StableHash.of(sent))) }
    return .text(text)
  }

  var omission: ExpectationDraft.Omission? {
    if case .omitted(let omission) = body { omission } else { nil }
  }
}

extension JSONValue {
  /// Whether `equalToJson` can ask for exactly this: a key that is there twice equals nothing, and some texts
  /// stand for others.
  fileprivate var canBeWanted: Bool {
    switch self {
    case .string(let text): !text.contains("#{json-unit.") && !text.contains("${json-unit.")
    case .array(let elements): elements.allSatisfy(\.canBeWanted)
    case .object(let object):
      !object.hasDuplicateKeys && object.members.allSatisfy(\.value.canBeWanted)
    case .null, .bool, .number: true
    }
  }
}

extension ExpectationDraft.Omission {
  /// Equal for bodies that can't be told apart.
  fileprivate var matcher: JSONValue {
    switch self {
    case .binaryBody(let count, let hash):
      ["equalTo": .string("\(count) bytes that aren't text, FNV-1a \(String(hash, radix: 16))")]
    case .volatileBody, .secretBody: ["matches": ".+"]
    }
  }
}

// MARK: - As a pattern

extension RequestOutline {
  /// The keys of an expectation, in the order in which people write them.
  ///
  /// - Parameter inferred: what is set aside besides; where a value was always the same, or is secret, a
  ///   matcher of its own asks for it.
  func pattern(
    ignoring volatile: VolatileParameters, inferred: VolatileParameters = .none
  ) -> JSONObject {
    var pattern: JSONObject = [:]
    if method != "GET" { pattern["method"] = .string(method) }
    let kept = parameters?.filter { parameter in
      let name = Array((parameter.name ?? parameter.raw).utf8)
      return !volatile.contains(name) && !inferred.contains(name)
    }
    let isEmptied = kept?.isEmpty == true && parameters?.isEmpty == false
    let query = isEmptied ? nil : kept?.map(\.raw).joined(separator: "&")
    let rest = (query.map { "?" + $0 } ?? "") + fragment
    let texts = segments.compactMap { if case .literal(let text) = $0 { text } else { nil } }
    if texts.count == segments.count {
      pattern["url"] = .string(Self.escaped(texts.joined(separator: "/") + rest))
    } else {
      let expression = segments.map(\.expression).joined(separator: "/")
      pattern["urlPattern"] = .string(Self.escaped(expression + Segment.literal(rest).expression))
    }
    let matchers = matchers(volatile, inferred)
    if !matchers.isEmpty { pattern["queryParameters"] = .object(matchers) }
    if !headers.isEmpty { pattern["headers"] = .object(headers) }
    switch body {
    case .omitted(let omission) where tellsOmitted: pattern["bodyPatterns"] = [omission.matcher]
    case .none, .omitted: break
    case .json(let value): pattern["bodyPatterns"] = [["equalToJson": Self.escaped(value)]]
    case .text(let text): pattern["bodyPatterns"] = [["equalTo": .string(Self.escaped(text))]]
    }
    return pattern
  }

  /// What of parameters that are set aside holds all the same.
  private func matchers(
    _ volatile: VolatileParameters, _ inferred: VolatileParameters
  ) -> JSONObject {
    var matchers: JSONObject = [:]
    let all = parameters ?? []
    for parameter in all {
      guard let name = parameter.name, inferred.contains(Array(name.utf8)),
        !volatile.contains(Array(name.utf8))
      else { continue }
      let same = all.filter { $0.name == name }
      if same.contains(where: \.isSecret) {
        matchers[Self.escaped(name)] = ["matches": ".+"]
      } else if let value = parameter.value,
        same.allSatisfy({ $0.isStable && $0.value == value })
      {
        matchers[Self.escaped(name)] = ["equalTo": .string(Self.escaped(value))]
      }
    }
    return matchers
  }

  /// A text in which nothing is taken for a variable.
  static func escaped(_ text: String) -> String {
    text.contains("${") ? text.replacing("${", with: "$${") : text
  }

  static func escaped(_ value: JSONValue) -> JSONValue {
    switch value {
    case .string(let text): .string(escaped(text))
    case .array(let elements): .array(elements.map(escaped))
    case .object(let object):
      .object(JSONObject(object.members.map { .init(escaped($0.key), escaped($0.value)) }))
    case .null, .bool, .number: value
    }
  }
}

extension RequestOutline.Segment {
  /// As a regular expression.
  fileprivate var expression: String {
    switch self {
    case .any: "[^/?#]+"
    case .part(let before, let after):
      Self.literal(before).expression + Self.any.expression + Self.literal(after).expression
    case .literal(let text):
      text.reduce(into: "") { expression, character in
        if #".*+?()[]{}|^$\"#.contains(character) { expression += "\\" }
        expression.append(character)
      }
    }
  }
}
