import Foundation
import JSON
import RequestMatching
import SourceText
import Testing

@Suite("A JSON Schema")
struct JSONSchemaTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var schema: String
    var valid: [String]
    var invalid: [String]
    var testDescription: String { schema }

    init(_ schema: String, valid: [String], invalid: [String]) {
      (self.schema, self.valid, self.invalid) = (schema, valid, invalid)
    }
  }

  static let draft7 = #""$schema": "http://json-schema.org/draft-07/schema#""#

  static let rows = [
    Row("true", valid: ["1", "null"], invalid: []),
    Row("false", valid: [], invalid: ["1", "{}"]),
    Row("{}", valid: ["1", "[]"], invalid: []),
    Row(
      #"{"type": "integer"}"#, valid: ["1", "1.0", "1e3", "1e300", "9007199254740993.0"],
      invalid: ["1.5", #""1""#, "9007199254740993.5", "90071992547409930000000.5", "1e-3"]),
    Row(#"{"type": ["string", "null"]}"#, valid: ["null", #""""#], invalid: ["0", "false"]),
    Row(
      #"{"enum": [1, "a", {"b": [null]}]}"#, valid: ["1.0", #"{"b":[null]}"#],
      invalid: [#""1""#, #"{"b":[]}"#, "true"]),
    Row(#"{"const": false}"#, valid: ["false"], invalid: ["0", "null"]),
    Row(
      #"{"minimum": 1.1, "maximum": 3}"#, valid: ["1.1", "3.0", #""x""#], invalid: ["1", "3.01"]),
    Row(#"{"exclusiveMinimum": 0, "exclusiveMaximum": 1}"#, valid: ["0.5"], invalid: ["0", "1.0"]),
    Row(#"{"multipleOf": 0.0001}"#, valid: ["0.0075", "2"], invalid: ["0.00751"]),
    Row(#"{"multipleOf": 1e-8}"#, valid: ["12391239123"], invalid: ["1e-9"]),
    Row(
      #"{"minLength": 2, "maxLength": 3}"#, valid: [#""가나""#, #""\uD83D\uDCA9a""#, "1"],
      invalid: [#""a""#, #""abcd""#]),
    Row(#"{"pattern": "b+"}"#, valid: [#""abbc""#, "1"], invalid: [#""ac""#]),
    Row(#"{"pattern": "^a|b$"}"#, valid: [#""ax""#, #""xb""#, #""a\nx""#], invalid: [#""xax""#]),
    Row(#"{"pattern": "^a$"}"#, valid: [#""a""#], invalid: [#""a\n""#, #""a\r\n""#, #""\na""#]),
    Row(#"{"pattern": "^[$.]\\$\\.$"}"#, valid: [#""$$.""#, #"".$.""#], invalid: [#""a$.""#]),
    Row(#"{"pattern": "^\\Qa.$\\E$"}"#, valid: [#""a.$""#], invalid: [#""ax""#]),
    Row(#"{"pattern": "^[^].$]+$"}"#, valid: [#""ab""#], invalid: [#""a$""#, #""a.""#, #""a]""#]),
    Row(#"{"pattern": "^a.b$"}"#, valid: [#""a\tb""#], invalid: [#""a\nb""#]),
    Row(#"{"pattern": "^\\[a$"}"#, valid: [#""[a""#], invalid: [#""[a\n""#]),
    Row(
      #"{"format": "date-time"}"#,
      valid: [
        #""2026-02-28T23:59:60Z""#, #""2024-02-29t00:00:00.5+09:00""#, "1",
      ], invalid: [#""2026-02-29T00:00:00Z""#, #""2026-01-01""#, #""2026-01-01T24:00:00Z""#]),
    Row(
      #"{"format": "uuid"}"#, valid: [#""2EB8AA08-AA98-11EA-B4AA-73B441D16380""#],
      invalid: [#""2EB8AA08""#]),
    Row(
      #"{"format": "email"}"#, valid: [#""a.b+c@example.com""#],
      invalid: [#""a""#, #""a@""#, #""a b@c.d""#, #"".a@b.c""#]),
    Row(
      #"{"format": "uri"}"#, valid: [#""https://a.b/c?d=%20#e""#, #""urn:a:b""#],
      invalid: [#""/a""#, #""https://a b""#, #""a%zz:""#]),
    Row(#"{"format": "hostname"}"#, valid: [#""a b""#], invalid: []),
    Row(#"{"required": ["a"]}"#, valid: [#"{"a":null}"#, "[]"], invalid: ["{}"]),
    Row(
      #"{"properties": {"a": {"type": "string"}}, "patternProperties": {"^x": true}, "additionalProperties": false}"#,
      valid: [#"{"a":"b","x1":1}"#, "{}"], invalid: [#"{"a":1}"#, #"{"b":1}"#]),
    Row(
      #"{"properties": {"caf\u00e9": true}, "additionalProperties": false, "maxProperties": 1}"#,
      valid: [#"{"caf\u00e9":1}"#], invalid: [#"{"cafe\u0301":1}"#]),
    Row(#"{"minProperties": 2}"#, valid: [#"{"\u00e9":1,"e\u0301":1}"#], invalid: [#"{"a":1}"#]),
    Row(
      #"{"additionalProperties": {"type": "number"}}"#, valid: [#"{"a":1}"#],
      invalid: [#"{"a":"1"}"#]),
    Row(#"{"propertyNames": {"maxLength": 2}}"#, valid: [#"{"ab":1}"#], invalid: [#"{"abc":1}"#]),
    Row(
      #"{"minProperties": 1, "maxProperties": 2}"#, valid: [#"{"a":1}"#],
      invalid: ["{}", #"{"a":1,"b":2,"c":3}"#]),
    Row(
      #"{"dependentRequired": {"a": ["b"]}}"#, valid: [#"{"a":1,"b":2}"#, #"{"b":1}"#],
      invalid: [#"{"a":1}"#]),
    Row(
      #"{"dependentSchemas": {"a": {"required": ["b"]}}}"#, valid: [#"{"a":1,"b":2}"#, "{}"],
      invalid: [#"{"a":1}"#]),
    Row(
      #"{\#(draft7), "dependencies": {"a": ["b"], "c": {"required": ["d"]}}}"#,
      valid: [#"{"a":1,"b":2}"#, "{}"], invalid: [#"{"a":1}"#, #"{"c":1}"#]),
    Row(#"{"items": {"type": "integer"}}"#, valid: ["[1, 2]", "{}"], invalid: [#"[1, "2"]"#]),
    Row(
      #"{"prefixItems": [{"type": "string"}], "items": false}"#, valid: [#"["a"]"#, "[]"],
      invalid: ["[1]", #"["a", 1]"#]),
    Row(
      #"{\#(draft7), "items": [{"type": "string"}], "additionalItems": {"type": "null"}}"#,
      valid: [#"["a", null]"#], invalid: ["[1]", #"["a", 1]"#]),
    Row(
      #"{"contains": {"const": 1}, "minContains": 2, "maxContains": 3}"#, valid: ["[1, 2, 1]"],
      invalid: ["[1]", "[1,1,1,1]"]),
    Row(#"{"contains": {"const": 1}}"#, valid: ["[1]", "{}"], invalid: ["[]", "[2]"]),
    Row(#"{"contains": {"const": 1}, "minContains": 0}"#, valid: ["[]"], invalid: []),
    Row(
      #"{"uniqueItems": true, "minItems": 1, "maxItems": 2}"#, valid: [#"[1, true]"#],
      invalid: ["[1, 1.0]", "[]", "[1,2,3]"]),
    Row(#"{"allOf": [{"minimum": 1}, {"maximum": 2}]}"#, valid: ["1"], invalid: ["0", "3"]),
    Row(
      #"{"anyOf": [{"type": "string"}, {"minimum": 2}]}"#, valid: [#""a""#, "2"], invalid: ["1"]),
    Row(
      #"{"oneOf": [{"type": "integer"}, {"minimum": 2}]}"#, valid: ["1", "2.5"],
      invalid: ["3", "1.5"]),
    Row(#"{"not": {"type": "null"}}"#, valid: ["1"], invalid: ["null"]),
    Row(
      #"{"if": {"const": 1}, "then": false, "else": {"type": "string"}}"#, valid: [#""a""#],
      invalid: ["1", "2"]),
    Row(#"{"then": false, "else": false}"#, valid: ["1"], invalid: []),
    Row(
      ##"{"$ref": "#/$defs/a~1b%25", "$defs": {"a/b%": {"type": "null"}}, "type": ["null", "string"]}"##,
      valid: ["null"], invalid: [#""a""#]),
    Row(
      ##"{"properties": {"next": {"$ref": "#"}}, "additionalProperties": false}"##,
      valid: [#"{"next":{"next":{}}}"#], invalid: [#"{"next":{"other":1}}"#]),
    Row(
      ##"{\##(draft7), "$ref": "#/definitions/a", "type": "string", "definitions": {"a": {"type": "null"}}}"##,
      valid: ["null"], invalid: [#""a""#]),
  ]

  @Test("accepts what it describes, and nothing else", arguments: rows)
  func table(row: Row) throws {
    let schema = try Self.schema(row.schema)
    for text in row.valid { #expect(try schema.accepts(JSONValue(parsing: text)), "\(text)") }
    for text in row.invalid { #expect(try !schema.accepts(JSONValue(parsing: text)), "\(text)") }
  }

  @Test("says where a value is wrong, how, and by which rule")
  func violations() throws {
    let schema = try Self.schema(
      #"""
      {"type": "object", "required": ["id"], "additionalProperties": false,
       "properties": {
         "id": {"type": "string"},
         "$items": {"items": {"properties": {"n": {"type": ["integer", "null"], "maximum": 20}}}},
         "kind": {"anyOf": [{"type": "string"}, {"type": "null"}]},
         "price": {"anyOf": [{"const": "free"}, {"type": "object", "required": ["amount", "currency"]}]},
         "area": {"enum": ["cart", "list"]}}}
      """#)
    let value = try JSONValue(
      parsing:
        #"{"$items": [{"n": 1}, {"n": 21}, {"n": "x"}], "kind": 1, "price": {"amount": 1}, "area": "top", "x y": 1}"#
    )
    let found = try schema.violations(of: value).map {
      "\($0.kind) \($0.path) \($0.keyword): \($0.wanted), \($0.got ?? "-") @\($0.location.position.line)"
    }
    #expect(
      found == [
        #"missing id required: a value, - @1"#,
        #"outOfRange ['$items'][1].n maximum: at most 20, 21 @4"#,
        #"mistyped ['$items'][2].n type: an integer or null, "x" @4"#,
        #"mistyped kind anyOf: a string or null, 1 @5"#,
        #"missing price.currency required: a value, - @6"#,
        #"notAllowed area enum: "cart" or "list", "top" @7"#,
        #"extra ['x y'] false: nothing, 1 @1"#,
      ])
  }

  static let mistakes: [(String, String, Int)] = [
    (#"{"tpye": "string"}"#, #"Unknown keyword "tpye" in a schema."#, 2),
    (#"{"properties": {"a": {"requird": []}}}"#, #"Unknown keyword "requird" in a schema."#, 23),
    (#"{"unevaluatedProperties": false}"#, #""unevaluatedProperties" isn't supported"#, 2),
    (#"{"$schema": "http://json-schema.org/draft-04/schema#"}"#, "isn't a known draft", 13),
    (#"{"type": "strin"}"#, #""strin" isn't a type."#, 10),
    (
      #"{"type": 1}"#,
      #""type": expected the name of a type, or a list of them, found the number 1."#, 10
    ),
    (#"{"items": [{}]}"#, #"a list of them is "prefixItems" in draft 2020-12"#, 11),
    (#"{"$ref": "other.json"}"#, "leads out of this file", 10),
    (##"{"$ref": "#/$defs/ad", "$defs": {"adv": {}}}"##, "leads nowhere", 10),
    (##"{"$ref": "#"}"##, "leads back to where it began", 2),
    (##"{"allOf": [{"anyOf": [{"$ref": "#"}]}]}"##, "leads back to where it began", 2),
    (#"{"pattern": "("}"#, #""(" isn't a valid regular expression."#, 13),
    (#"{"patternProperties": {"(": {}}}"#, #""(" isn't a valid regular expression."#, 24),
    (#"{"minimum": "1"}"#, #""minimum": expected a number, found the string "1"."#, 13),
    (#"{"minLength": -1}"#, #""minLength": expected a whole number from 0 up"#, 15),
    (#"{"multipleOf": 0}"#, #""multipleOf": expected a number above 0"#, 16),
    (#"{"required": "a"}"#, #""required": expected a list of keys"#, 14),
    (#"{"allOf": []}"#, #""allOf": expected a list of schemas that isn't empty"#, 11),
    (#"{"properties": []}"#, #""properties": expected an object of schemas"#, 16),
    (#"{"patternProperties": []}"#, #""patternProperties": expected an object of schemas"#, 23),
    (#"{"dependentRequired": ["p"]}"#, #""dependentRequired": expected an object of lists"#, 23),
    (#"{"dependentSchemas": 1}"#, #""dependentSchemas": expected an object of schemas"#, 22),
    (#"{"dependencies": ["p"]}"#, #""dependencies": expected an object of lists of keys and"#, 18),
    (#"{"not": 1}"#, "A schema is an object, true or false, found the number 1.", 9),
    ("3", "A schema is an object, true or false, found the number 3.", 1),
  ]

  @Test("that isn't one is told with its place", arguments: mistakes)
  func mistake(text: String, message: String, column: Int) throws {
    let diagnostics = DiagnosticCollector()
    let node = try #require(JSONParser.parse(SourceFile(path: "s.json", text: text)).node)
    #expect(JSONSchema(node, diagnostics) == nil)
    let first = try #require(diagnostics.diagnostics.first)
    #expect(first.message.contains(message), "\(first.message)")
    #expect(first.location?.position.column == column)
  }

  @Test("whose expression takes for ever is told, not waited for")
  func expensive() throws {
    let schema = try Self.schema(#"{"pattern": "^(a+)+$"}"#)
    #expect(throws: MatchingDoubt.self) {
      try schema.accepts(.string(String(repeating: "a", count: 40) + "b"))
    }
  }

  /// Each takes 2^26 steps or more.
  static let bombs: [(String, JSONValue)] = [
    (
      ##"{"anyOf": [{"properties": {"a": {"$ref": "#"}}, "required": ["b"]}, {"properties": {"a": {"$ref": "#"}}, "required": ["c"]}]}"##,
      (0..<26).reduce(JSONValue.null) { value, _ in ["a": value] }
    ),
    (
      ##"{"$ref": "#/$defs/d0", "$defs": {"##
        + (0..<29).map {
          ##""d\##($0)": {"allOf": [{"$ref": "#/$defs/d\##($0 + 1)"}, {"$ref": "#/$defs/d\##($0 + 1)"}]}, "##
        }.joined() + #""d29": {}}}"#,
      1
    ),
  ]

  @Test(
    "that takes for ever by its alternatives is told, and ends where nobody waits", arguments: bombs
  )
  func bomb(text: String, value: JSONValue) throws {
    let schema = try Self.schema(text)
    func doubt() -> MatchingDoubt? {
      do throws(MatchingDoubt) {
        _ = try schema.violations(of: value, stepLimit: 20_000)
        return nil
      } catch {
        return error
      }
    }
    #expect(doubt() == .expensiveSchema(textLength: value.text().utf16.count))
    #expect(MatchingStop.asking(MatchingStop { true }, doubt) == .stopped)
  }

  private static func schema(_ text: String) throws -> JSONSchema {
    let diagnostics = DiagnosticCollector()
    let node = try #require(JSONParser.parse(SourceFile(path: "s.json", text: text)).node)
    let schema = JSONSchema(node, diagnostics)
    return try #require(schema, "\(diagnostics.diagnostics.map(\.message))")
  }
}
