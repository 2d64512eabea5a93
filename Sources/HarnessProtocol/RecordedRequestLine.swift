import Foundation
import JSON

/// One line of the store, checked as a whole and decoded as far as it is asked.
///
/// A store can have millions of lines of which most are only counted, so what is not looked at is
/// not decoded. The line keeps the buffer that it was read into: don't keep many of them.
package struct RecordedRequestLine: Sendable {
  typealias Text = JSONReader.Text

  let buffer: [UInt8]
  var urlText = Text(range: 0..<0)
  var methodText: Text?
  /// The headers' object, braces included.
  var headersRange: Range<Int>?
  var bodyText: Text?
  var isBodyBase64 = false
  var timeRange: Range<Int>?
  var clockRange: Range<Int>?

  /// The index of the action in hand when the request was caused.
  package internal(set) var action: Int?
  package internal(set) var answer: RecordedRequest.Answer?
  /// Whether the line isn't an object but a URL alone.
  package internal(set) var isBare = false
  /// Set by who read the request's end, which is in another line.
  package var end: RequestEnd?
  /// Likewise: how many requests behind it in its file were sent before it ended.
  var overlap = 0

  init(buffer: [UInt8]) {
    self.buffer = buffer
  }
}

extension RecordedRequestLine {
  /// Calls with the bytes of the URL, which are decoded only where they have escapes.
  package func withURLBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    withBytes(of: urlText, body)
  }

  /// Whether the method is `GET`, as it is where the line says none.
  package var isGet: Bool {
    methodText.map { withBytes(of: $0) { $0.elementsEqual("GET".utf8) } } ?? true
  }

  /// The object of the headers as it is written.
  package var headerBytes: ArraySlice<UInt8>? { headersRange.map { buffer[$0] } }

  /// The request, everything decoded.
  package var request: RecordedRequest {
    var request = RecordedRequest(
      url: string(urlText), method: methodText.map(string), headers: headers, body: body,
      action: action, time: number(timeRange), clock: number(clockRange), answer: answer, end: end)
    request.overlap = overlap
    return request
  }

  package var time: Double? { number(timeRange) }

  private func number(_ range: Range<Int>?) -> Double? {
    range.flatMap { Double(String(decoding: buffer[$0], as: UTF8.self)) }
  }

  private var body: [UInt8]? {
    guard let bodyText else { return nil }
    return buffer.withUnsafeBufferPointer { bytes in
      guard isBodyBase64 else { return JSONReader(bytes).decodedBytes(bodyText) }
      var body: [UInt8] = []
      body.reserveCapacity(bodyText.range.count / 4 * 3)
      let text = UnsafeBufferPointer(rebasing: bytes[bodyText.range])
      return Base64Steps.decode(text) { body += $0 } ? body : nil
    }
  }

  package var headers: [String: String] {
    guard let headersRange else { return [:] }
    var headers: [String: String] = [:]
    buffer.withUnsafeBufferPointer { bytes in
      var reader = JSONReader(bytes, in: headersRange)
      // Checked when the line was read, so nothing can be thrown here.
      try? reader.headers { name, value in headers[string(name)] = string(value) }
    }
    return headers
  }

  func string(_ text: Text) -> String {
    withBytes(of: text) { String(decoding: $0, as: UTF8.self) }
  }

  private func withBytes<Result>(
    of text: Text, _ body: (UnsafeBufferPointer<UInt8>) -> Result
  ) -> Result {
    buffer.withUnsafeBufferPointer { bytes in
      if text.hasEscapes {
        return JSONReader(bytes).decodedBytes(text).withUnsafeBufferPointer(body)
      }
      return body(.init(rebasing: bytes[text.range]))
    }
  }
}

/// Decodes Base64 step by step, so that a large text takes no memory beside what becomes of it.
enum Base64Steps {
  /// In characters, of which four stand for three bytes.
  private static let step = 1 << 16

  /// - Returns: whether all of the text is Base64.
  static func decode(_ text: UnsafeBufferPointer<UInt8>, _ take: (Data) -> Void) -> Bool {
    for start in stride(from: 0, to: text.count, by: step) {
      let end = min(start + step, text.count)
      let data = Data(base64Encoded: Data(text[start..<end]))
      // What is filled up stands at the end alone.
      guard let data, end == text.count || data.count == step / 4 * 3 else { return false }
      take(data)
    }
    return true
  }
}

/// Why a line of the store can't be trusted.
package enum RecordedLineFault: Error, Sendable, Equatable {
  case empty
  /// A bare line that no URL can be: white space, a quotation mark or a control character in it.
  case notAURL
  case notUTF8
  /// The line begins as an object and is none.
  case notJSON
  case missingURL
  /// Without a scheme.
  case relativeURL
  /// A key of the contract is there twice.
  case doubledKey(String)
  /// The value of a key is not what the contract says.
  case wrongValue(String)
  /// A line with `ends` has one of `status` and `error`, and no `url`.
  case malformedEnd
  /// The end of a request that no earlier line of the file records, or whose end is there already.
  case unfoundedEnd(Int)
  /// An action that was never sent to the app.
  case unknownAction(Int)
  /// An action that was sent to the app only after the request was recorded.
  case laterAction(Int, inHand: Int)
  /// A stub answered, it says, in a scenario without stubs.
  case answeredWithoutStubs
}

extension RecordedLineFault: CustomStringConvertible {
  package var description: String {
    switch self {
    case .empty: "the line is empty"
    case .notAURL: "the line is neither a JSON object nor a URL"
    case .notUTF8: "the line is not UTF-8"
    case .notJSON: "the line is not one whole JSON object"
    case .missingURL: "the object has no \"url\""
    case .relativeURL:
      "the URL isn't absolute. Record it whole, with its scheme, as in https://ad.example.com/click"
    case .doubledKey(let key): "the key \"\(key)\" is written twice"
    case .wrongValue(let key): "the value of \"\(key)\" is not what it must be"
    case .malformedEnd:
      "a line with \"ends\" needs either \"status\", from 100 to 999, or \"error\", and no \"url\""
    case .unfoundedEnd(let number):
      "request \(number) of this file can't end here: it wasn't recorded before, or has ended already"
    case .unknownAction(let action):
      "the request names action \(action), which was never sent to the app. \"action\" is the \"id\" "
        + "of the action that was running when the request was made"
    case .laterAction(let action, let inHand):
      "the request names action \(action), but was recorded while action \(inHand) was running. "
        + "\"action\" is the \"id\" of the action that was running when the request was made"
    case .answeredWithoutStubs:
      "the request was answered by a stub, it says, but the scenario has no stubs. Write \"default\" "
        + "where no stub answered"
    }
  }
}
