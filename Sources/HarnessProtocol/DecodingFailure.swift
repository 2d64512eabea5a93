import JSON

/// What an app couldn't decode, as its answer tells it (`undecodable`).
package struct DecodingFailure: Sendable, Hashable {
  /// A step from a JSON value to one inside it.
  package enum Step: Sendable, Hashable {
    case key(String)
    case index(Int)
  }

  /// What the app expected.
  package enum Kind: String, Sendable {
    case string, number, boolean, list, object
  }

  /// Where the text is written, under the fixtures folder; `nil` where the app can't tell.
  package var file: String?
  /// A byte of the stub or of the captured exchange in that file; `nil` where the file is the text.
  package var offset: Int?
  /// Which of a stub's `responses`, from 0.
  package var response = 0
  /// From the text's outermost value to the one that is wrong.
  package var path: [Step] = []
  package var expected: Kind?
  /// The member that the object at `path` doesn't have.
  package var missingKey: String?
  /// In the decoder's own words.
  package var message: String

  package init(message: String) { self.message = message }

  /// Reads an entry of `undecodable`; what isn't there, or of the wrong type, is left out.
  package init(_ value: JSONValue) {
    message = value["message"]?.string ?? ""
    file = value["file"]?.string
    offset = value["offset"]?.int
    response = value["response"]?.int ?? 0
    path = (value["path"]?.array ?? []).compactMap(Step.init)
    expected = value["expected"]?.string.flatMap(Kind.init)
    missingKey = value["missing"]?.string
  }

  package var json: JSONValue {
    [
      "file": file.map(JSONValue.string), "offset": offset.map(JSONValue.integer),
      "response": response == 0 ? nil : .integer(response),
      "path": .array(path.map(\.json)),
      "expected": expected.map { .string($0.rawValue) },
      "missing": missingKey.map(JSONValue.string), "message": .string(message),
    ]
  }
}

extension DecodingFailure.Step {
  fileprivate init?(_ value: JSONValue) {
    if let index = value.int {
      self = .index(index)
    } else if let key = value.string {
      self = .key(key)
    } else {
      return nil
    }
  }

  fileprivate var json: JSONValue {
    switch self {
    case .key(let key): .string(key)
    case .index(let index): .integer(index)
    }
  }
}
