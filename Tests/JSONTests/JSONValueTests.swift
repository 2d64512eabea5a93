import JSON
import Testing

@Suite("JSON values")
struct JSONValueTests {
  @Test(
    "Numbers are equal by their exact value",
    arguments: [
      ("1", "1.0", true), ("1", "10e-1", true), ("0", "-0.0e5", true), ("1e2", "100", true),
      ("0.1", "0.10000000000000001", false), ("9007199254740993", "9007199254740992", false),
      ("12345678901234567890123", "12345678901234567890123.0", true), ("1", "-1", false),
      ("1e400", "1e401", false), ("10e399", "1e400", true), ("0e99999999999999999999", "0", true),
      ("1e99999999999999999999", "1e99999999999999999999", true),
      ("1e99999999999999999999", "1e99999999999999999998", false),
      ("1e9223372036854775807", "10e9223372036854775807", false),
    ])
  func numbers(left: String, right: String, isEqual: Bool) throws {
    let (left, right) = (try JSONValue(parsing: left), try JSONValue(parsing: right))
    #expect((left == right) == isEqual)
    if isEqual { #expect(left.hashValue == right.hashValue) }
    #expect((left.number?.canonicalText == right.number?.canonicalText) == isEqual)
  }

  @Test(
    "Numbers are ordered by their exact value",
    arguments: [
      ("1", "2"), ("-2", "-1"), ("-1", "0"), ("0", "1e-30"), ("9", "10"), ("0.09", "0.1"),
      ("1e2", "101"), ("12345678901234567890", "12345678901234567891"), ("0.5", "0.51"),
      ("1", "1e99999999999999999999"), ("1e-99999999999999999999", "1e-5"), ("-1e3", "-999.9"),
    ])
  func order(smaller: String, larger: String) throws {
    let (smaller, larger) = (
      try #require(JSONNumber(smaller)), try #require(JSONNumber(larger))
    )
    #expect(smaller < larger)
    #expect(!(larger < smaller))
    #expect(!(smaller < smaller))
  }

  @Test(
    "Whole numbers and doubles",
    arguments: [
      ("2.0", 2, 2), ("2e3", 2000, 2000), ("-0", 0, 0), ("2.5", nil, 2.5), ("1e-1", nil, 0.1),
      ("9223372036854775807", .max, 0x1p63),
      ("-9223372036854775808.0", .min, -0x1p63),
      ("9223372036854775808", nil, 0x1p63),
      ("9007199254740993.0", 9_007_199_254_740_993, 0x1p53),
      ("1e999", nil, nil), ("1e99999999999999999999", nil, nil),
    ] as [(String, Int?, Double?)])
  func conversions(text: String, int: Int?, double: Double?) throws {
    let value = try JSONValue(parsing: text)
    #expect(value.int == int)
    #expect(value.double == double)
    #expect(value.text() == text)
  }

  @Test(
    "A whole number is written as it is",
    arguments: [0, 1, 9, 10, 99, 100, 101, 999, 1000, 1_234_567, .max, -1, -10, .min])
  func written(integer: Int) {
    var writer = JSONWriter()
    writer.append(integer: integer)
    #expect(String(decoding: writer.bytes, as: UTF8.self) == "\(integer)")
  }

  @Test(
    "What isn't a number makes none", arguments: ["", " 1", "1 ", "01", "1.", "0x1", "inf", "-"])
  func notNumbers(text: String) {
    #expect(JSONNumber(text) == nil)
  }

  @Test("What isn't finite is written as null")
  func notFinite() {
    #expect(JSONNumber(.infinity) == nil)
    #expect(JSONValue.double(.nan) == .null)
  }

  @Test("Strings are equal byte for byte")
  func strings() throws {
    #expect(JSONValue.string("\u{E9}") != .string("e\u{301}"))
    #expect(JSONValue.object(["\u{E9}": 1])["e\u{301}"] == nil)
    #expect((["\u{E9}": 1, "e\u{301}": 2] as JSONObject).duplicateKeys == [])
  }

  @Test("Objects keep their order, and are equal in any", arguments: [2, 16, 17, 100])
  func order(count: Int) throws {
    let pairs = (0..<count).map { ("key \($0)", JSONValue.integer($0)) }
    let (object, reversed) = (JSONObject(pairs), JSONObject(pairs.reversed()))
    #expect(object.keys == pairs.map(\.0))
    #expect(object == reversed)
    #expect(object.hashValue == reversed.hashValue)
    #expect(pairs.allSatisfy { object[$0.0] == $0.1 && reversed[$0.0] == $0.1 })
    #expect(object["key"] == nil)
    #expect(try JSONValue(parsing: JSONValue.object(object).bytes()).object?.keys == object.keys)
  }

  @Test("A key that is there twice is known, and the last one counts", arguments: [0, 20])
  func duplicates(others: Int) throws {
    let rest = (0..<others).map { ",\"\($0)\":0" }.joined()
    let value = try JSONValue(parsing: #"{"a":1,"b":2,"\u0061":3"# + rest + "}")
    let object = try #require(value.object)
    #expect(object.hasDuplicateKeys)
    #expect(object.duplicateKeys == ["a"])
    #expect(object.values(of: "a") == [1, 3])
    #expect(object.values(of: "none").isEmpty)
    #expect(value["a"] == 3)
    #expect(try value != JSONValue(parsing: #"{"a":3,"b":2,"a":1"# + rest + "}"))
    #expect(try value == JSONValue(parsing: #"{"b":2,"a":1,"a":3"# + rest + "}"))
  }

  @Test("Comparing costs no more than looking at each value once, however they differ")
  func deepDifference() throws {
    func nested(_ inner: String) throws -> JSONValue {
      let open = String(repeating: #"{"b":0,"a":"#, count: 100)
      return try JSONValue(parsing: open + inner + String(repeating: "}", count: 100))
    }
    #expect(try nested("1") != nested("2"))
    #expect(try nested("1") == nested("1"))
  }

  @Test("Members are set, appended and removed", arguments: [1, 16, 40])
  func mutation(count: Int) {
    var object = JSONObject((0..<count).map { ("\($0)", .integer($0)) })
    object["0"] = "first"
    object["new"] = true
    object.append("new", false)
    #expect(object.count == count + 2)
    #expect(object["0"] == "first")
    #expect(object["new"] == false)
    #expect(object.duplicateKeys == ["new"])
    object["new"] = nil
    #expect(object.count == count)
    #expect(object["new"] == nil)
  }

  @Test("Values are reached by key and index")
  func access() {
    let value: JSONValue = ["a": [1, ["b": "c"]], "left out": nil, "null": .null]
    #expect(value["a"]?[1]?["b"]?.string == "c")
    #expect(value["a"]?[2] == nil)
    #expect(value["a"]?["b"] == nil)
    #expect(value.object?.keys == ["a", "null"])
    #expect(value["null"]?.isNull == true)
    #expect(value["a"]?[0]?.bool == nil)
  }
}

@Suite("JSON is written")
struct JSONWriterTests {
  private static let value: JSONValue = [
    "b": [1, 2.5, "x"], "a": ["": .null, "empty": []], "none": [:], "yes": true,
  ]

  @Test("On one line, pretty, or with keys sorted")
  func styles() {
    #expect(
      Self.value.text() == #"{"b":[1,2.5,"x"],"a":{"":null,"empty":[]},"none":{},"yes":true}"#)
    #expect(
      Self.value.text(.canonical)
        == #"{"a":{"":null,"empty":[]},"b":[1,2.5,"x"],"none":{},"yes":true}"#)
    #expect(
      Self.value.text(.pretty) == """
        {
          "b": [
            1,
            2.5,
            "x"
          ],
          "a": {
            "": null,
            "empty": []
          },
          "none": {},
          "yes": true
        }
        """)
  }

  @Test("Strings are escaped where they must be, and read back")
  func escapes() throws {
    let text = "<a href=\"&\">\u{1}\n\r\t\\ \u{7F}책😀\u{202E}##"
    let value = JSONValue.string(text)
    #expect(value.text() == "\"<a href=\\\"&\\\">\\u0001\\n\\r\\t\\\\ \u{7F}책😀\u{202E}##\"")
    let style = JSONStyle { scalar, previous in
      scalar == "<" || !scalar.isASCII || scalar == "#" && previous == "#"
    }
    let escaped =
      #""\u003ca href=\"&\">\u0001\n\r\t\\ "# + "\u{7F}"
      + #"\ucc45\ud83d\ude00\u202e#\u0023""#
    #expect(value.text(style) == escaped)
    #expect(try JSONValue(parsing: escaped) == value)
  }

  @Test(
    "What was read is written as it was",
    arguments: [
      #"{"z":1.50,"a":-0,"z":1E400,"n":null}"#, #"["",[],[[]],{},"é"]"#,
      "123456789012345678901234567890.10",
    ])
  func roundTrip(text: String) throws {
    #expect(try JSONValue(parsing: text).text() == text)
    let pretty = try JSONValue(parsing: text).text(.pretty)
    #expect(try JSONValue(parsing: pretty).text() == text)
  }
}
