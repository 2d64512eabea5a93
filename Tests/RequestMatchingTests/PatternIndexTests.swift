import JSON
import Testing

@testable import RequestMatching

@Suite("Many patterns are looked up, which finds what trying them finds")
struct PatternIndexTests {
  /// The same numbers in each run with one seed (Vigna's SplitMix64).
  struct Numbers: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
      mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
      return mixed ^ (mixed >> 31)
    }

    mutating func pick<Element>(_ elements: [Element]) -> Element {
      elements[Int.random(in: elements.indices, using: &self)]
    }
  }

  /// Few of each, so that patterns and requests meet; é is written in both ways.
  static let texts = [
    "A-1", "A-12", "12", "", "e\u{301}", "\u{E9}", "x", "null", "true", "[1]", "a&b=c", "A-1A-12",
    "a-1", "a-12", "k", "\u{212A}", "\u{17F}",
  ]
  static let names = ["ad", "id", "e\u{301}", "\u{E9}", "items", "b"]
  static let json = [
    "1", "1.0", "12", #""A-1""#, #""A-12""#, #""12""#, "null", "true", "[1]", #""[1]""#, "[]", "{}",
    #"{"id": "A-1"}"#, #"{"id": "A-12", "b": 1}"#, #"[{"id": "A-1"}, {"id": 12}]"#,
    #"[{"id": 12}, {"id": "A-1"}]"#, #"{"id": 1, "id": 1}"#, #"{"ad": {"id": ["A-1"]}}"#,
    #"{"é": "é"}"#, #"{"ad": null}"#,
  ]
  /// It must stay in doubt.
  static let deep = String(repeating: "[", count: 300) + String(repeating: "]", count: 300)
  static let wanted =
    json.filter { !$0.contains(#""id": 1, "id""#) } + [
      ##"{"id": "#{json-unit.any-string}", "b": 1}"##, ##"["#{json-unit.ignore}", {"id": 12}]"##,
      ##"{"ad": "#{json-unit.ignore}"}"##,
    ]
  static let paths = [
    "$", "$.ad", "$.ad.id", "$.id", "$..id", "$.*", "$[*].id", "$.items[0].id", "$['ad','id']",
    "$.items[?@.id == 'A-1']", "$[?@.id == 12]", "$..[?@.id == 'A-1'].b", "$[?'A-1' == @.id]",
    "$.items[?@.ad]", "$[?@ != 1]", "$[-1]", "$[0:2]", "$.é", "$.items[?@.ad.id == 'A-12'].id",
    "$[?$.ad == 1]",
  ]
  static let expressions = [
    "A-1", "A-1.*", ".*A-1.*", "[A]-1", "A-(1|12)", "A-1|12", "(?i)a-1", "A-1?2", "A-1{1}2*",
    ".*12", "", "\\d+", "A\\-1", ".*\\x41-1.*", "x+", "[^]A-1]+.*", ".*(ad|id)=A-12?(&.*)?",
    "https://x/a\\?ad=.*", "(x|A-1|A-12)", "A-1|x.*|12", "(A-1)?2?x?", "A(-1|-1(2|x))+",
    "(A-1|){1,2}",
    "(?i).*a-1.*", "(?i)K|a-(1|12)", "(?i).*\u{212A}", "(?i)s", "(?i)(?-i)A-1", "(?i)\u{C9}.*",
    "/a.*12.*", "(?:A-)12", "\\QA-1\\E", ".*e\u{301}.*", "[[:alpha:]]-1.*",
  ]

  static func matcher(_ numbers: inout Numbers, _ depth: Int = 0) -> String {
    let text = JSONValue.string(numbers.pick(texts)).text()
    func parts(_ numbers: inout Numbers) -> String {
      (0..<Int.random(in: 1...2, using: &numbers)).map { _ in matcher(&numbers, depth + 1) }
        .joined(separator: ", ")
    }
    switch Int.random(in: 0..<(depth > 1 ? 10 : 15), using: &numbers) {
    case 0, 1: return #"{"equalTo": \#(text)}"#
    case 2: return #"{"equalTo": \#(text), "caseInsensitive": true}"#
    case 3, 4: return #"{"contains": \#(text)}"#
    case 5: return #"{"doesNotContain": \#(text)}"#
    case 6, 7:
      return #"{"matches": \#(JSONValue.string(numbers.pick(expressions)).text())}"#
    case 8: return #"{"doesNotMatch": "A-.*"}"#
    case 9: return #"{"absent": true}"#
    case 10: return #"{"and": [\#(parts(&numbers))]}"#
    case 11: return #"{"or": [\#(parts(&numbers))]}"#
    case 12: return #"{"not": \#(matcher(&numbers, depth + 1))}"#
    case 13:
      let list = parts(&numbers)
      return numbers.pick([#"{"includes": [\#(list)]}"#, #"{"hasExactly": [\#(list)]}"#])
    default: return jsonMatcher(&numbers)
    }
  }

  /// A matcher that nearly everything matches.
  static func negativeMatcher(_ numbers: inout Numbers, _ depth: Int = 0) -> String {
    let text = JSONValue.string(numbers.pick(texts)).text()
    switch Int.random(in: 0..<(depth > 1 ? 4 : 5), using: &numbers) {
    case 0: return #"{"doesNotContain": \#(text)}"#
    case 1: return #"{"doesNotMatch": \#(JSONValue.string(numbers.pick(expressions)).text())}"#
    case 2, 3: return #"{"not": \#(matcher(&numbers, depth + 1))}"#
    default:
      let parts = (0..<2).map { _ in negativeMatcher(&numbers, depth + 1) }
      return #"{"and": [\#(parts.joined(separator: ", "))]}"#
    }
  }

  static func negativePattern(_ numbers: inout Numbers) -> String {
    let target = numbers.pick(["", #""urlPath": "/a""#, #""method": "POST""#, #""host": "x""#])
    func condition(_ part: String) -> String {
      let name = JSONValue.string(numbers.pick(names)).text()
      return #""\#(part)": {\#(name): \#(negativeMatcher(&numbers))}"#
    }
    let body = numbers.pick([
      negativeMatcher(&numbers), #"{"not": \#(jsonMatcher(&numbers))}"#,
    ])
    var conditions = ["queryParameters", "headers", "cookies"].map(condition)
    conditions.append(#""bodyPatterns": [\#(body)]"#)
    conditions.shuffle(using: &numbers)
    let count = numbers.pick([1, 1, 2])
    return "{\(([target] + conditions[..<count]).filter { !$0.isEmpty }.joined(separator: ", "))}"
  }

  static func jsonMatcher(_ numbers: inout Numbers) -> String {
    let flags = numbers.pick(["", #", "ignoreArrayOrder": true"#])
    let more = numbers.pick(["", #", "ignoreExtraElements": true"#])
    let equal = #"{"equalToJson": \#(numbers.pick(wanted))\#(flags)\#(more)}"#
    let path = numbers.pick(paths)
    switch Int.random(in: 0..<4, using: &numbers) {
    case 0: return equal
    case 1: return #"{"matchesJsonPath": "\#(path)"}"#
    case 2:
      return #"{"matchesJsonPath": {"expression": "\#(path)", \#(equal.dropFirst())}"#
    default:
      return
        #"{"matchesJsonPath": {"expression": "\#(path)", \#(matcher(&numbers, 2).dropFirst())}"#
    }
  }

  static func pattern(_ numbers: inout Numbers) -> String {
    var members = [
      numbers.pick([
        "", "", #""url": "https://x/a?ad=A-1""#, #""urlPath": "/a""#, #""method": "POST""#,
        #""urlPattern": \#(JSONValue.string(numbers.pick(expressions)).text())"#,
        #""urlPathPattern": "/(a|b)""#,
      ])
    ]
    for part in ["queryParameters", "headers", "cookies"] where Bool.random(using: &numbers) {
      let name = JSONValue.string(numbers.pick(names)).text()
      members.append(#""\#(part)": {\#(name): \#(matcher(&numbers))}"#)
    }
    if Bool.random(using: &numbers) {
      members.append(
        #""bodyPatterns": [\#(numbers.pick([jsonMatcher(&numbers), matcher(&numbers)]))]"#)
    }
    return "{\(members.filter { !$0.isEmpty }.joined(separator: ", "))}"
  }

  static func request(_ numbers: inout Numbers) -> MatchableRequest {
    let query = (0..<Int.random(in: 0...3, using: &numbers)).map { _ in
      "\(numbers.pick(names))=\(numbers.pick(texts))"
    }.joined(separator: "&")
    var headers: [String: String] = [:]
    for name in names where Int.random(in: 0..<3, using: &numbers) == 0 {
      headers[name] = numbers.pick(texts)
    }
    headers["Cookie"] = numbers.pick(["", "ad=A-1", "ad=A-12; id=x", "b=; b=12"])
    // What can't be decoded must stay in doubt.
    headers["Content-Encoding"] = numbers.pick(["", "", "", "", "gzip"])
    var body = numbers.pick([nil, numbers.pick(texts), numbers.pick(json), numbers.pick(json)])
    if Int.random(in: 0..<20, using: &numbers) == 0 { body = deep }
    if body == nil {
      body =
        #"{"\#(numbers.pick(names))": \#(numbers.pick(json)), "items": \#(numbers.pick(json))}"#
    }
    return MatchableRequest(
      method: numbers.pick(["GET", "POST"]),
      url: "https://x/\(numbers.pick(["a", "b"]))?\(query)", headers: headers,
      body: Array((body ?? "").utf8))
  }

  @Test(
    "As many patterns as never before, with and without volatile parameters",
    arguments: [1, 2] as [UInt64], [false, true])
  func agreement(seed: UInt64, isNegative: Bool) throws {
    var numbers = Numbers(state: seed)
    let volatile = VolatileParameters(seed % 2 == 0 ? ["b"] : [])
    let patterns = (0..<300).compactMap { _ in
      decodedPattern(
        isNegative ? Self.negativePattern(&numbers) : Self.pattern(&numbers)
      ).pattern
    }
    #expect(patterns.count > 150)
    let set = PatternSet(patterns, ignoring: volatile)
    var matches = 0
    for _ in 0..<25 {
      let request = Self.request(&numbers)
      let wanted = Self.answers(patterns) { pattern throws(MatchingDoubt) in
        try pattern.matches(request, ignoring: volatile)
      }
      var found: [Int: MatchingDoubt?] = [:]
      request.url.bytes.withUnsafeBufferPointer { url in
        set.forEachMatch(url: url, isGet: request.method == "GET", request: { request }) {
          #expect(found[$0] == nil)
          found[$0] = .some($1)
        }
      }
      #expect(
        found == wanted,
        "\(request.url.text) \(String(decoding: request.body ?? [], as: UTF8.self))")
      matches += wanted.count
    }
    #expect(matches > 100)
  }

  @Test("Events as well", arguments: [1, 2, 3] as [UInt64], [false, true])
  func events(seed: UInt64, isNegative: Bool) throws {
    var numbers = Numbers(state: seed)
    let patterns = (0..<300).compactMap { _ -> RequestPattern? in
      let negative = Self.negativeMatcher(&numbers, 2).dropFirst()
      let matcher =
        isNegative
        ? #"{"matchesJsonPath": {"expression": "\#(numbers.pick(Self.paths))", \#(negative)}"#
        : Self.jsonMatcher(&numbers)
      let body = #"{"bodyPatterns": [\#(matcher)]}"#
      guard
        case .matchesJsonPath(let path, let matcher?)? = decodedPattern(body).pattern?
          .bodyPatterns.first
      else { return nil }
      return RequestPattern(
        event: EventPattern(
          name: numbers.pick(["click", "view"]), decoder: numbers.pick([nil, "ours"]),
          conditions: [.init(key: path.text, path: path, matcher: matcher)]))
    }
    #expect(patterns.count > 60)
    let set = PatternSet(patterns, ignoring: .none)
    var matches = 0
    for _ in 0..<40 {
      let (ad, id) = (numbers.pick(Self.json), numbers.pick(Self.json))
      let text = numbers.pick([#"{"ad": \#(ad), "id": \#(id)}"#, #"{"ad": \#(ad)}"#])
      let value = try #require(JSONValue(body: text.utf8))
      let event = AnalyticsEvent(
        decoder: numbers.pick(["ours", "theirs"]), name: numbers.pick(["click", "view", "other"]),
        value: value, number: 1, count: 1, essence: value)
      let request = MatchableRequest(method: "POST", url: "https://x", event: event)
      let wanted = Self.answers(patterns) { pattern throws(MatchingDoubt) in
        try pattern.matches(request)
      }
      var found: [Int: MatchingDoubt?] = [:]
      set.forEachMatch(ofEvent: request) { found[$0] = .some($1) }
      #expect(found == wanted, "\(text)")
      matches += wanted.count
    }
    #expect(matches > 50)
  }

  @Test("Lists in any order match where one of their orders does", arguments: [false, true])
  func anyOrder(ignoresExtraElements: Bool) throws {
    var numbers = Numbers(state: 7)
    let ordered = JSONComparison(
      ignoreArrayOrder: false, ignoreExtraElements: ignoresExtraElements)
    let anyOrder = JSONComparison(
      ignoreArrayOrder: true, ignoreExtraElements: ignoresExtraElements)
    // Lists in lists would have to be put in every order as well.
    let elements = Self.json.filter { !$0.contains("[") }
    let placeholders = [##""#{json-unit.any-string}""##, ##"{"id": "#{json-unit.ignore}"}"##]
    var matches = 0
    for _ in 0..<400 {
      let got = (0..<numbers.pick([2, 3, 3])).map { _ in numbers.pick(elements) }
      var wanted = got.map { numbers.pick([$0, $0, $0, numbers.pick(elements + placeholders)]) }
      wanted = wanted.filter { !$0.contains(#""id": 1, "id""#) }.shuffled(using: &numbers)
      let pattern = try #require(
        decodedPattern(
          #"{"bodyPatterns": [{"equalToJson": [\#(wanted.joined(separator: ", "))]}]}"#
        ).pattern)
      guard case .equalToJson(let list, _) = pattern.bodyPatterns[0] else { continue }
      let values = try got.map { try #require(JSONValue(body: $0.utf8)) }
      let isMatch = try Self.orders(of: values).contains {
        try ordered.matches(list, .array($0))
      }
      #expect(try anyOrder.matches(list, .array(values)) == isMatch, "\(wanted) \(got)")
      matches += isMatch ? 1 : 0
    }
    #expect((60..<340).contains(matches))
  }

  private static func orders(of values: [JSONValue]) -> [[JSONValue]] {
    guard !values.isEmpty else { return [[]] }
    return values.indices.flatMap { index in
      var rest = values
      let first = rest.remove(at: index)
      return orders(of: rest).map { [first] + $0 }
    }
  }

  /// What trying each pattern comes to.
  static func answers(
    _ patterns: [RequestPattern], _ matches: (RequestPattern) throws(MatchingDoubt) -> Bool
  ) -> [Int: MatchingDoubt?] {
    var answers: [Int: MatchingDoubt?] = [:]
    for (index, pattern) in patterns.enumerated() {
      do throws(MatchingDoubt) {
        if try matches(pattern) { answers[index] = .some(nil) }
      } catch {
        answers[index] = .some(error)
      }
    }
    return answers
  }

  @Test(
    "What an expression needs is found where that is certain",
    arguments: [
      ("abc", "abc"), (".*ad=A-1&.*", "ad=A-1&"), ("a.b[c]d(e)f", "a b d e f"),
      ("ab?c", "a c"), ("ab{2}c", "a c"), ("a|b", "<a|b>"), ("a(b|c)d", "a <b|c> d"),
      ("a\\.b\\d+c", "a.b c"), ("x\\x41BC", "x"), ("x(?i)y", "x"), ("x\\Qy\\Ez", "x"),
      ("x[]y]z", "x"), ("x[a[b]]y", "x y"), ("x(\\)[)])y", "x ) y"), ("x(y", "x"),
      ("^https://x/\\?a=1$", "https://x/?a=1"), ("é+x", "x"), ("x\\u0041y", "x"),
      ("a(?#()|b", ""), ("ab\\c(|c", ""), ("ab(?x) # (\n|c", ""), ("ab(?#c)*", ""),
      ("a(b)?c", "a c"), ("a(b|c)*d", "a d"), ("a(?:b|c)+d", "a <b|c> d"), ("a(b|)d", "a d"),
      ("a|b*", ""), ("a(b|.)d", "a d"), ("(a(b|c)|de)f", "<a <b|c>|de> f"), ("[|]a|b[)]", "<a|b>"),
      ("a(b|(?=c))d", "a"), ("a|b)", ""), ("(a|b", ""), ("a(b|\\1)d", "a d"), ("(?i:a|b)c", ""),
    ])
  func requiredTexts(pattern: String, texts: String) {
    #expect(Self.text(RequiredTexts(of: pattern).parts) == texts)
  }

  private static func text(_ parts: [RequiredTexts.Part]) -> String {
    parts.map { part in
      switch part {
      case .text(let text): String(decoding: text, as: UTF8.self)
      case .any(let sides): "<" + sides.map(text).joined(separator: "|") + ">"
      }
    }.joined(separator: " ")
  }
}
