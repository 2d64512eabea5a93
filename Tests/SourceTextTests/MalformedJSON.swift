import Testing

/// A text that isn't valid JSON, with the span and the message of each mistake.
struct MalformedJSON: CustomTestStringConvertible {
  var text: String
  /// Whether the structure can be trusted all the same.
  var isUsable: Bool
  var messages: [String]

  init(_ text: String, usable: Bool = true, _ messages: String...) {
    self.text = text
    isUsable = usable
    self.messages = messages
  }

  var testDescription: String { text }

  static let samples = [
    MalformedJSON(
      "", usable: false,
      "0-0 The file is empty. Write a JSON object: { … }."),
    MalformedJSON(
      "  // nothing", usable: false,
      "12-12 The file is empty. Write a JSON object: { … }."),
    MalformedJSON(
      #"{"a" 1}"#,
      #"4-4 ":" is missing after the key "a"."#),
    MalformedJSON(
      #"{"a": 1 "b": 2}"#,
      "7-7 A comma is missing here."),
    MalformedJSON(
      #"{"a": 1,, "b": 2}"#,
      "8-9 This comma is one too many."),
    MalformedJSON(
      "{a: 1}",
      #"1-2 The key "a" is written without double quotes."#),
    MalformedJSON(
      #"{'a': 'x"y'}"#,
      "1-4 A string is written in straight double quotes, found ' as its quote.",
      "6-11 A string is written in straight double quotes, found ' as its quote."),
    MalformedJSON(
      "{“a”: “b”}",
      "1-8 A string is written in straight double quotes, found “ as its quote.",
      "10-17 A string is written in straight double quotes, found “ as its quote."),
    MalformedJSON(
      #"{"a": }"#,
      #"1-4 The value of "a" is missing."#),
    MalformedJSON(
      #"{"a": , "b": 1}"#,
      #"1-4 The value of "a" is missing."#),
    MalformedJSON(
      #"{"a", "b": 1}"#,
      #"4-4 ":" and a value are missing after the key "a"."#),
    MalformedJSON(
      #"{"a" = 1; "b": 2}"#,
      #"5-6 Expected ":" between a key and its value, found "="."#,
      #"8-9 Expected "," here, found ";"."#),
    MalformedJSON(
      "[1 2]",
      "2-2 A comma is missing here."),
    MalformedJSON(
      "[01, +1, .5, 1., 1e, 0x1F, 1e999, 12a]",
      #"1-3 "01" isn't a JSON number: it begins with a 0."#,
      #"5-7 "+1" isn't a JSON number: it begins with "+"."#,
      #"9-11 ".5" isn't a JSON number: write a 0 before the point."#,
      #"13-15 "1." isn't a JSON number: a digit must follow the point."#,
      #"17-19 "1e" isn't a JSON number: the exponent needs a digit."#,
      #"21-25 "0x1F" isn't a JSON number: "x1F" does not belong to it."#,
      #"27-32 The number "1e999" is too large."#,
      #"34-37 "12a" isn't a JSON number: "a" does not belong to it."#),
    MalformedJSON(
      "[True, None, NaN, cart button, flase]",
      #"1-5 "True" is written as true in JSON."#,
      #"7-11 "None" is written as null in JSON."#,
      #"13-16 "NaN" isn't a JSON number."#,
      #"18-29 "cart button" isn't a JSON value. A string is written in double quotes."#,
      #"31-36 "flase" isn't a JSON value. A string is written in double quotes."#),
    MalformedJSON(
      "[\"a\nb\", 1]",
      #"1-3 A line break in a string is written as \n."#),
    MalformedJSON(
      "[\"a\tb\\x\\u12\\ud800\u{01}\"]",
      #"3-4 A tab in a string is written as \t."#,
      #"5-7 "\x" isn't an escape sequence. A backslash itself is written as \\."#,
      #"7-11 "\u" is followed by four hexadecimal digits."#,
      #"11-17 "\ud800" is half a character: its other half is missing."#,
      #"17-18 A control character (U+0001) in a string is written as \u0001."#),
    MalformedJSON(
      "{\"a\": \"b,\n\"c\": 1}",
      #"6-8 The string is never closed. Write '"' at its end."#),
    MalformedJSON(
      #"{"a": [1, 2}"#,
      #"11-12 "]" is missing before this "}"."#),
    MalformedJSON(
      #"{"a": [1, "b": 2}"#,
      #"10-13 The list is not closed before the key "b". Write "]"."#),
    MalformedJSON(
      #"[{"a": 1, {"b": 2}]"#,
      #"10-11 The object before this one is not closed. Write "}" before it."#),
    MalformedJSON(
      #"[{"a": 1]"#,
      #"8-9 "}" is missing before this "]"."#),
    MalformedJSON(
      #"{"a": [1, 2]], "b": 3}"#,
      #"12-13 "]" does not close "{". Write "}" instead, or remove it."#),
    MalformedJSON(
      #"{"a": 1}}"#, usable: false,
      #"8-9 "}" stands after the end of the file's value. Remove it, or the closing bracket that came too early."#
    ),
    MalformedJSON(
      #"{"a": {"b": 1}"#, usable: false,
      #"14-14 The file ends, but "{" of line 1 is not closed. Write "}" where it should end."#),
    MalformedJSON(
      "[1, 2}",
      #"5-6 "}" does not close "[". Write "]" instead, or remove it."#),
    MalformedJSON(
      #"{"a": 1} x"#, usable: false,
      #"9-10 "x" stands after the end of the file's value. Remove it, or the closing bracket that came too early."#
    ),
    MalformedJSON(
      "[1, /* x", usable: false,
      #"4-6 The comment is never closed. Write "*/" at its end."#),
    MalformedJSON(
      #"{"a": 1, 5: 2, [3]: 4}"#,
      "9-10 Expected a key in double quotes.",
      "15-18 Expected a key in double quotes."),
    MalformedJSON(
      "@",
      #"0-1 Expected a JSON value, found "@"."#),
    MalformedJSON(
      #"{"a": 1 {"b": 2}}"#,
      "7-7 A comma is missing here.",
      "8-16 Expected a key in double quotes."),
    MalformedJSON(
      #"{"a": https://x/y }"#,
      #"6-17 "https://x/y" isn't a JSON value. A string is written in double quotes."#),
    MalformedJSON(
      #"{"actions": [{"tap": "x" , "expected": []}"#, usable: false,
      #"42-42 The file ends, but "[" of line 1 is not closed. Write "]" where it should end."#),
    MalformedJSON(
      "[1] [2", usable: false,
      #"4-5 "[" stands after the end of the file's value. Remove it, or the closing bracket that came too early."#
    ),
    MalformedJSON(
      #"{"a":[{"b":1},{"c":2, {"d":3}], "e": {"f": 1}"#, usable: false,
      #"22-23 The object before this one is not closed. Write "}" before it."#),
    MalformedJSON(
      #"{"a" "b"}"#,
      #"4-4 ":" is missing after the key "a"."#),
    MalformedJSON(
      #"{"a":: 1}"#,
      #"1-4 The value of "a" is missing."#,
      #"5-6 ":" has nothing before it to belong to."#),
    MalformedJSON(
      "{:1}",
      #"1-2 ":" has nothing before it to belong to."#),
  ]
}
