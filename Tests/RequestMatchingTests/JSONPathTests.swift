import Foundation
import JSON
import Testing

@testable import RequestMatching

@Suite("JSONPaths find what RFC 9535 says")
struct JSONPathTests {
  /// A case of the JSONPath Compliance Test Suite, whose licence is beside its cases.
  private struct Case {
    var name: String
    var selector: String
    var isInvalid: Bool
    var document: JSONValue
    /// The lists that may be found: the order of members isn't said.
    var results: [JSONValue]

    init?(_ json: JSONValue) {
      guard case .object(let members) = json else { return nil }
      func member(_ key: String) -> JSONValue? { members[key] }
      guard case .string(let name)? = member("name"),
        case .string(let selector)? = member("selector")
      else { return nil }
      (self.name, self.selector) = (name, selector)
      isInvalid = member("invalid_selector") != nil
      document = member("document") ?? .null
      if case .array(let results)? = member("results") {
        self.results = results
      } else {
        results = [member("result")].compactMap { $0 }
      }
    }

    /// Whether it has what isn't supported.
    var isOutside: Bool {
      selector.contains("&&") || selector.contains("||")
        || selector.contains(/[a-z]\(/) || selector.contains(/[a-z]\s\(/)
    }
  }

  private static func cases() throws -> [Case] {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appending(path: "JSONPathCompliance/cases.json")
    guard case .array(let cases)? = JSONValue(body: try Data(contentsOf: file)) else {
      return []
    }
    return cases.compactMap(Case.init)
  }

  @Test("The public compliance tests, as far as they are about what is supported")
  func compliance() throws {
    var (evaluated, refused, outside) = (0, 0, 0)
    for test in try Self.cases() {
      do throws(JSONPathError) {
        let path = try JSONPath(test.selector)
        #expect(!test.isInvalid, "\(test.name): \(test.selector)")
        let found = JSONValue.array((try? path.values(in: test.document)) ?? []).text(.canonical)
        #expect(
          test.results.map { $0.text(.canonical) }.contains(found), "\(test.name): \(test.selector)"
        )
        evaluated += 1
      } catch {
        #expect(test.isInvalid || test.isOutside, "\(test.name): \(test.selector): \(error)")
        if test.isInvalid { refused += 1 } else { outside += 1 }
      }
    }
    #expect(evaluated == 343)
    #expect(refused == 247)
    #expect(outside == 113)
  }

  @Test(
    "What isn't a supported path is refused, with the place of the mistake",
    arguments: [
      ("", 0, "Expected \"$\", with which a JSONPath begins, found the end."),
      ("a.b", 0, "Expected \"$\", with which a JSONPath begins, found \"a\"."),
      ("$.", 2, "Expected a name or \"*\", found the end."),
      ("$a", 1, "Expected \".\", \"..\" or \"[\", found \"a\"."),
      ("$.a.[?@.b]", 4, "Expected a name or \"*\", found \"[\"."),
      ("$[a]", 2, "Expected a name in quotes, an index, \"*\", \":\" or \"?\", found \"a\"."),
      ("$[01]", 2, "\"01\" isn't a valid index."),
      ("$['a", 4, "The closing quotation mark is missing."),
      (
        "$[?@.a == 1 && @.b]", 12,
        "A filter has one comparison or existence test: \"&&\" and \"||\" aren't supported."
      ),
      ("$[?length(@.a) == 1]", 3, "Functions aren't supported."),
      ("$[?@.a =~ 'x']", 7, "Expected \",\" or \"]\", found \"=\"."),
      (
        "$[?@.* == 1]", 3,
        "What is compared must be one value: its path has only names and indexes."
      ),
      ("$[?@.a == 1.]", 10, "\"1.\" isn't a number as JSON writes it."),
      ("$[?@.a == '\\x']", 10, "The string has an invalid escape."),
      (
        "$" + String(repeating: "[?@", count: 60), 77, "The path has too many open brackets."
      ),
    ])
  func mistake(path: String, offset: Int, message: String) {
    #expect(throws: JSONPathError(message: message, offset: offset)) { try JSONPath(path) }
  }

  @Test(
    "Numbers are ordered by their exact values",
    arguments: [
      ("1", "2"), ("-2", "-1"), ("-1", "0"), ("0", "1e-30"), ("9", "10"), ("0.09", "0.1"),
      ("1e2", "101"), ("12345678901234567890", "12345678901234567891"),
      ("1", "1e99999999999999999999"), ("1e-99999999999999999999", "1e-5"), ("-1e3", "-999.9"),
    ])
  func order(smaller: String, larger: String) throws {
    for (left, right, isLess) in [(smaller, larger, true), (larger, smaller, false)] {
      let document = try #require(JSONValue(body: Array("[\(left)]".utf8)))
      #expect(try JSONPath("$[?@ < \(right)]").values(in: document).isEmpty == !isLess)
    }
    let document = try #require(JSONValue(body: Array("[\(smaller)]".utf8)))
    #expect(try JSONPath("$[?@ < \(smaller)]").values(in: document).isEmpty)
  }

  @Test("A path that would take too many steps is given up")
  func expensive() throws {
    let deep = String(repeating: "[", count: 150) + String(repeating: "]", count: 150)
    let document = try #require(JSONValue(body: Array(deep.utf8)))
    #expect(throws: MatchingDoubt.self) {
      try JSONPath("$..*..*..*..*").values(in: document, stepLimit: 100_000)
    }
  }
}
