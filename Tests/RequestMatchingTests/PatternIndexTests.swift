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
    arguments: zip([1, 2, 3, 4], [[], ["b"], [], ["b"]]))
  func agreement(seed: UInt64, names: [String]) throws {
    var numbers = Numbers(state: seed)
    let volatile = VolatileParameters(names)
    let patterns = (0..<400).compactMap { _ in decodedPattern(Self.pattern(&numbers)).pattern }
    #expect(patterns.count > 200)
    let set = PatternSet(patterns, ignoring: volatile)
    var matches = 0
    for _ in 0..<40 {
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

  @Test("Events as well", arguments: [1, 2, 3] as [UInt64])
  func events(seed: UInt64) throws {
    var numbers = Numbers(state: seed)
    let patterns = (0..<300).compactMap { _ -> RequestPattern? in
      let body = #"{"bodyPatterns": [\#(Self.jsonMatcher(&numbers))]}"#
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
      let text = #"{"ad": \#(numbers.pick(Self.json)), "id": \#(numbers.pick(Self.json))}"#
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
