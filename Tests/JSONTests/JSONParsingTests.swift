import Foundation
import JSON
import Testing

@Suite("JSON is read as RFC 8259 has it")
struct JSONParsingTests {
  @Test(
    "What is JSON",
    arguments: [
      ("null", .null), ("true", true), (" false\n", false), ("\t0\r", 0), ("-0", 0), ("1E+2", 100),
      ("123e-2", 1.23), ("0.5", 0.5), (#""""#, ""),
      (#""a\/\"\\\b\f\n\r\t""#, "a/\"\\\u{8}\u{C}\n\r\t"),
      (#""\u00e9\uD83D\uDE00\u0000""#, "é😀\0"),
      ("\"\u{7F}\u{2028}\u{FFFF}책\"", "\u{7F}\u{2028}\u{FFFF}책"),
      ("[]", []), ("[ ]", []), ("[1,\n[2] , {} ]", [1, [2], [:]]), ("{}", [:]),
      (#"{"a":{"b":[null]},"":0}"#, ["a": ["b": [.null]], "": 0]),
    ] as [(String, JSONValue)])
  func accepted(text: String, value: JSONValue) throws {
    #expect(try JSONValue(parsing: text) == value)
  }

  @Test(
    "What isn't JSON, and where",
    arguments: [
      ("", "the text ends where a value is expected at byte 0"),
      ("  ", "the text ends where a value is expected at byte 2"),
      ("\u{FEFF}{}", "expected a value at byte 0"),
      ("nul", "expected a value at byte 0"), ("nullx", "expected nothing more at byte 4"),
      ("True", "expected a value at byte 0"), ("NaN", "expected a value at byte 0"),
      ("+1", "expected a value at byte 0"),
      ("-", "the text ends where a digit is expected at byte 1"),
      ("-x", "expected a digit at byte 1"), ("01", "expected nothing more at byte 1"),
      ("1.", "the text ends where a digit is expected at byte 2"),
      (".5", "expected a value at byte 0"),
      ("1e", "the text ends where a digit is expected at byte 2"),
      ("0x1", "expected nothing more at byte 1"),
      ("1 2", "expected nothing more at byte 2"), ("[1 2]", "expected a comma or ] at byte 3"),
      ("[1,]", "expected a value at byte 3"), ("[,1]", "expected a value at byte 1"),
      ("[1}", "expected a comma or ] at byte 2"),
      ("[", "the text ends where a value is expected at byte 1"),
      ("]", "expected a value at byte 0"), ("[]]", "expected nothing more at byte 2"),
      ("{1:2}", "expected a key at byte 1"), (#"{"a" 1}"#, "expected a colon at byte 5"),
      (#"{"a":}"#, "expected a value at byte 5"), (#"{"a":1,}"#, "expected a key at byte 7"),
      (#"{"a":1]"#, "expected a comma or } at byte 6"),
      (#"{"a":1 "b":2}"#, "expected a comma or } at byte 7"),
      ("{'a':1}", "expected a key at byte 1"), ("[1] // one", "expected nothing more at byte 4"),
      (#""a"#, "the text ends where a closing quotation mark is expected at byte 2"),
      (#""\"#, "invalid escape at byte 1"), (#""\x41""#, "invalid escape at byte 1"),
      (#""\u12G4""#, "invalid escape at byte 1"), (#""\u12""#, "invalid escape at byte 1"),
      ("\"a\nb\"", "a string has the control character U+000A, which must be escaped at byte 2"),
      ("\"\u{1F}\"", "a string has the control character U+001F, which must be escaped at byte 1"),
      (#"["\uD83D"]"#, "half of a surrogate pair alone at byte 2"),
      (#""\uD83D\u0041""#, "half of a surrogate pair alone at byte 1"),
      (#""\uDE00\uD83D""#, "half of a surrogate pair alone at byte 1"),
    ])
  func refused(text: String, message: String) {
    let error = #expect(throws: JSONError.self) { try JSONValue(parsing: text) }
    #expect(error?.description == message)
  }

  @Test("Whether a long text is UTF-8 doesn't depend on where its characters lie")
  func longUTF8() {
    for shift in 0..<4 {
      let text = String(repeating: "x", count: shift) + String(repeating: "한é😀", count: 30_000)
      var bytes = Array(text.utf8)
      #expect(bytes.withUnsafeBufferPointer { $0.isValidUTF8 })
      #expect(!bytes.dropLast().withUnsafeBufferPointer { $0.isValidUTF8 })
      // The first byte of a character beside the place where the text is cut.
      let first = bytes[65_530...].firstIndex { $0 >= 0xC0 } ?? 0
      bytes.insert(0x80, at: first)
      #expect(!bytes.withUnsafeBufferPointer { $0.isValidUTF8 })
    }
  }

  @Test(
    "Bytes that aren't UTF-8",
    arguments: [
      ([0x22, 0x61, 0xFF, 0x22], 2), ([0x22, 0xC0, 0xAF, 0x22], 1),
      ([0x22, 0xED, 0xA0, 0x80, 0x22], 1),
      ([0x22, 0xC3, 0xA9, 0xE2, 0x82, 0x22], 3), ([0x22, 0xF4, 0x90, 0x80, 0x80, 0x22], 1),
      ([0x7B, 0x22, 0xE9, 0x22, 0x3A, 0x31, 0x7D], 2),
    ] as [([UInt8], Int)])
  func invalidUTF8(bytes: [UInt8], offset: Int) {
    #expect(throws: JSONError(.invalidUTF8, at: offset)) { try JSONValue(parsing: bytes) }
  }

  @Test("Half of a surrogate pair becomes U+FFFD for who asks")
  func loneSurrogates() throws {
    let text = #"["a\ud83d","\uDE00b","\ud83d\ud83d\ude00"]"#
    let value = try JSONValue(parsing: text, limits: JSONLimits(replacesLoneSurrogates: true))
    #expect(value == ["a\u{FFFD}", "\u{FFFD}b", "\u{FFFD}😀"])
  }

  @Test("Depth and length have limits")
  func limits() throws {
    let nested = String(repeating: "[", count: 256) + String(repeating: "]", count: 256)
    #expect(try JSONValue(parsing: nested).text() == nested)
    #expect(throws: JSONError(.tooDeep(limit: 256), at: 256)) {
      try JSONValue(parsing: "[" + nested + "]")
    }
    #expect(throws: JSONError(.tooDeep(limit: 1), at: 5)) {
      try JSONValue(parsing: #"{"a":{}}"#, limits: JSONLimits(depth: 1))
    }
    #expect(throws: JSONError(.tooLong(limit: 4), at: 4)) {
      try JSONValue(parsing: "[1,2]", limits: JSONLimits(lengthBytes: 4))
    }
    #expect(throws: JSONError(.tooDeep(limit: 256), at: 256)) {
      try JSONValue(parsing: [UInt8](repeating: UInt8(ascii: "["), count: 1_000_000))
    }
  }

  @Test("The deepest value can be read, compared, hashed, written and freed on a small stack")
  func smallStack() async throws {
    let isDone = await withCheckedContinuation { continuation in
      let thread = Thread {
        let text = String(repeating: #"{"a":["#, count: 128) + String(repeating: "]}", count: 128)
        let values = (0..<2).map { _ in try? JSONValue(parsing: text) }
        let isSame = values[0] == values[1] && values[0].hashValue == values[1].hashValue
        continuation.resume(returning: isSame && values[0]?.text() == text)
      }
      thread.stackSize = 512 * 1024
      thread.start()
    }
    #expect(isDone)
  }

  @Test("Parts of a text are read, others skipped, everything checked")
  func reader() throws {
    let bytes = Array(#" {"skip": [1, {"a": "]"}], "\u0075rl": "a\u0062", "n": 7} "#.utf8)
    try bytes.withUnsafeBufferPointer { bytes in
      var reader = JSONReader(bytes)
      var found: [String] = []
      try reader.enterObject()
      while let key = try reader.nextKey() {
        if reader.isEqual(key, "url") {
          found.append(reader.decoded(try reader.string()))
        } else {
          found.append(String(decoding: bytes[try reader.skipValue()], as: UTF8.self))
        }
      }
      try reader.finish()
      #expect(found == [#"[1, {"a": "]"}]"#, "ab", "7"])
    }
  }

  @Test(
    "Without a check, a value ends where it does with one",
    arguments: [
      #" {"a": [1, {"b": "]}\""}]}, 2"#, "[[], {}] ]", #""a\\" "b""#, "true]", "-1.5e3,", "null",
    ])
  func uncheckedEnd(text: String) throws {
    try Array(text.utf8).withUnsafeBufferPointer { bytes in
      var (checking, skipping) = (JSONReader(bytes), JSONReader(bytes))
      let (range, checked) = (try skipping.skipUncheckedValue(), try checking.skipValue())
      #expect(range == checked)
      #expect(skipping.offset == checking.offset)
    }
  }

  @Test(
    "Without a check, a value that never ends is told",
    arguments: [
      ("", JSONError.Wanted.value), ("[", .closingBracket), (#"[{"a": "]"}"#, .closingBracket),
      (#""a"#, .closingQuote), (#"["\"]"#, .closingQuote), (#""\"#, .closingQuote),
    ])
  func uncheckedTruncation(text: String, wanted: JSONError.Wanted) {
    let bytes = Array(text.utf8)
    #expect(throws: JSONError(.endOfText(wanted), at: bytes.count)) {
      try bytes.withUnsafeBufferPointer { bytes in
        var reader = JSONReader(bytes)
        try reader.skipUncheckedValue()
      }
    }
  }

  @Test(
    "What is skipped is checked like what is read",
    arguments: ["[1 2]", "[}", #"{"a":[}"#, #"["\x"]"#, "[01]", "[[]", "{]", "\"\u{1}\""])
  func skippingIsStrict(text: String) {
    let bytes = Array(text.utf8)
    let read = #expect(throws: JSONError.self) { try JSONValue(parsing: bytes) }
    let skipped = #expect(throws: JSONError.self) {
      try bytes.withUnsafeBufferPointer { bytes in
        var reader = JSONReader(bytes)
        try reader.skipValue()
        try reader.finish()
      }
    }
    #expect(read == skipped)
  }
}
