import Foundation
import JSON

/// Where the parts of one captured exchange are in the file; nothing is copied.
struct HAREntry: Sendable {
  var method: JSONReader.Text?
  var url: JSONReader.Text?
  var started: JSONReader.Text?
  /// The whole `postData` object.
  var postData: Range<Int>?
  /// How many bytes of body the request had; 0 or less where the exporter doesn't know.
  var bodySize = 0
  var status = 0
  /// The whole `response` object.
  var response: Range<Int>?

  /// A request that was aborted has the status 0; a switch of protocols (101) isn't an answer.
  var isAnswered: Bool { status >= 200 && method != nil && url != nil && response != nil }
}

extension HAREntry {
  /// JavaScript cuts texts between the halves of a surrogate pair, and browsers export them like that.
  static let limits = JSONLimits(replacesLoneSurrogates: true)

  /// Whether a file is a capture: its object has a `log`.
  static func areIn(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var reader = JSONReader(bytes, in: text(in: bytes), limits: limits)
    var isCapture = false
    try? reader.readObject { (reader, key) throws(JSONError) in
      isCapture = reader.isEqual(key, "log")
      // What comes after it doesn't matter here.
      if isCapture { throw JSONError(.expected(.end), at: reader.offset) }
      try reader.skipUncheckedValue()
    }
    return isCapture
  }

  /// All entries of a capture.
  ///
  /// - Returns: `nil` where there are no `log.entries`.
  static func list(in bytes: UnsafeBufferPointer<UInt8>) throws(JSONError) -> [HAREntry]? {
    var reader = JSONReader(bytes, in: text(in: bytes), limits: limits)
    var entries: [HAREntry]?
    try reader.readObject { (reader, key) throws(JSONError) in
      guard reader.isEqual(key, "log") else {
        try reader.skipUncheckedValue()
        return
      }
      try reader.readObject { (reader, key) throws(JSONError) in
        guard reader.isEqual(key, "entries") else {
          try reader.skipUncheckedValue()
          return
        }
        var found: [HAREntry] = []
        try reader.enterArray()
        while try reader.nextElement() { found.append(try HAREntry(&reader, bytes)) }
        entries = found
      }
    }
    try reader.finish()
    return entries
  }

  /// All but a byte-order mark.
  private static func text(in bytes: UnsafeBufferPointer<UInt8>) -> Range<Int> {
    (bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0)..<bytes.count
  }

  private init(
    _ reader: inout JSONReader, _ bytes: UnsafeBufferPointer<UInt8>
  ) throws(JSONError) {
    try reader.readObjectIfAny { (reader, key) throws(JSONError) in
      if reader.isEqual(key, "request") {
        try readRequest(&reader, bytes)
      } else if reader.isEqual(key, "response") {
        try readResponse(&reader, bytes)
      } else if reader.isEqual(key, "startedDateTime") {
        started = try reader.stringOrNil()
      } else {
        try reader.skipUncheckedValue()
      }
    }
  }

  private mutating func readRequest(
    _ reader: inout JSONReader, _ bytes: UnsafeBufferPointer<UInt8>
  ) throws(JSONError) {
    try reader.readObjectIfAny { (reader, key) throws(JSONError) in
      if reader.isEqual(key, "method") {
        method = try reader.stringOrNil()
      } else if reader.isEqual(key, "url") {
        url = try reader.stringOrNil()
      } else if reader.isEqual(key, "postData") {
        postData = try reader.skipUncheckedValue()
      } else if reader.isEqual(key, "bodySize") {
        bodySize = bytes.integer(try reader.skipUncheckedValue())
      } else {
        try reader.skipUncheckedValue()
      }
    }
  }

  private mutating func readResponse(
    _ reader: inout JSONReader, _ bytes: UnsafeBufferPointer<UInt8>
  ) throws(JSONError) {
    reader.skipSpace()
    let start = reader.offset
    try reader.readObjectIfAny { (reader, key) throws(JSONError) in
      let isStatus = reader.isEqual(key, "status")
      let value = try reader.skipUncheckedValue()
      if isStatus { status = bytes.integer(value) }
    }
    response = start..<reader.offset
  }

  /// Reads `startedDateTime`: ISO 8601, with or without fractions of a second.
  static func date(_ text: String) -> Date? {
    (try? Date(
      text,
      strategy: .iso8601.year().month().day().time(includingFractionalSeconds: true)
        .timeZone(separator: .omitted)))
      ?? (try? Date(text, strategy: .iso8601))
  }
}

extension JSONReader {
  /// Reads an object; `body` takes the value of each key.
  fileprivate mutating func readObject(
    _ body: (inout JSONReader, Text) throws(JSONError) -> Void
  ) throws(JSONError) {
    try enterObject()
    while let key = try nextKey() { try body(&self, key) }
  }

  /// Proxyman writes `null` for a response that never came.
  fileprivate mutating func readObjectIfAny(
    _ body: (inout JSONReader, Text) throws(JSONError) -> Void
  ) throws(JSONError) {
    if try nextKind() == .object { try readObject(body) } else { try skipUncheckedValue() }
  }

  /// Reads any value.
  ///
  /// - Returns: `nil` where it isn't a string.
  fileprivate mutating func stringOrNil() throws(JSONError) -> Text? {
    if try nextKind() == .string { return try string() }
    try skipUncheckedValue()
    return nil
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// 0 for what isn't a whole number.
  fileprivate func integer(_ value: Range<Int>) -> Int {
    Int(String(decoding: self[value], as: UTF8.self)) ?? 0
  }
}
