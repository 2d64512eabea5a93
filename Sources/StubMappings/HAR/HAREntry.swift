import Foundation

/// Where the parts of one captured exchange are in the file.
struct HAREntry: Sendable {
  var method: Range<Int>?
  var url: Range<Int>?
  /// The raw text of `startedDateTime`.
  var started: Range<Int>?
  /// The whole `postData` object.
  var postData: Range<Int>?
  /// How many bytes of body the request had; 0 or less where the exporter doesn't know.
  var bodySize = 0
  var status = 0
  /// The whole `response` object.
  var response: Range<Int>?

  /// A request that was aborted has the status 0; a switch of protocols (101) is no answer.
  var isAnswered: Bool { status >= 200 && method != nil && url != nil && response != nil }
}

extension HAREntry {
  /// Consumes an element of `entries`.
  init(_ scanner: inout HARScanner, _ bytes: UnsafeBufferPointer<UInt8>) throws(HARFault) {
    try scanner.object { (scanner, key) throws(HARFault) in
      if bytes.text(key, is: "request") {
        try readRequest(&scanner, bytes)
      } else if bytes.text(key, is: "response") {
        try readResponse(&scanner, bytes)
      } else if bytes.text(key, is: "startedDateTime") {
        started = bytes.content(ofString: try scanner.value())
      } else {
        try scanner.value()
      }
    }
  }

  private mutating func readRequest(
    _ scanner: inout HARScanner, _ bytes: UnsafeBufferPointer<UInt8>
  ) throws(HARFault) {
    try scanner.object { (scanner, key) throws(HARFault) in
      let value = try scanner.value()
      if bytes.text(key, is: "method") {
        method = bytes.content(ofString: value)
      } else if bytes.text(key, is: "url") {
        url = bytes.content(ofString: value)
      } else if bytes.text(key, is: "postData") {
        postData = value
      } else if bytes.text(key, is: "bodySize") {
        bodySize = bytes.integer(value)
      }
    }
  }

  private mutating func readResponse(
    _ scanner: inout HARScanner, _ bytes: UnsafeBufferPointer<UInt8>
  ) throws(HARFault) {
    scanner.skipBlanks()
    let start = scanner.at
    try scanner.object { (scanner, key) throws(HARFault) in
      let value = try scanner.value()
      guard bytes.text(key, is: "status") else { return }
      status = bytes.integer(value)
    }
    response = start..<scanner.at
  }
}

extension UnsafeBufferPointer<UInt8> {
  fileprivate func text(_ range: Range<Int>, is text: StaticString) -> Bool {
    guard range.count == text.utf8CodeUnitCount, let baseAddress else { return false }
    return memcmp(baseAddress + range.lowerBound, text.utf8Start, range.count) == 0
  }

  /// 0 for what isn't a whole number.
  fileprivate func integer(_ value: Range<Int>) -> Int {
    Int(String(decoding: self[value], as: UTF8.self)) ?? 0
  }

  /// The content of a string value; `nil` for what is no string.
  fileprivate func content(ofString value: Range<Int>) -> Range<Int>? {
    guard value.count >= 2, self[value.lowerBound] == UInt8(ascii: "\"") else { return nil }
    return value.lowerBound + 1..<value.upperBound - 1
  }
}
