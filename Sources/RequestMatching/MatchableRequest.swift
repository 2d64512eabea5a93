import JSON

/// A request that patterns are tried on: what they ask for is decoded once, when it is asked for.
///
/// Made for one request on one thread; it is not `Sendable`.
package final class MatchableRequest {
  package let method: String
  package let url: RequestURL
  /// As it was sent.
  package private(set) lazy var body = makeBody()
  /// Set where it stands for one event of a request.
  package let event: AnalyticsEvent?
  private let makeBody: () -> [UInt8]?
  private let rawHeaders: [String: String]
  /// Without volatile parameters, which are the same for all who ask.
  private var stripped: RequestURL?

  package private(set) lazy var queryItems = url.queryItems

  /// By lowercased name.
  package private(set) lazy var headerFields: [ByteText: [String]] = Dictionary(
    grouping: rawHeaders.sorted { $0.key < $1.key }, by: { ByteText($0.key.lowercased()) }
  ).mapValues { $0.map(\.value) }

  private lazy var cookies = Self.cookies(in: texts(ofHeader: "cookie"))

  /// The body without `Content-Encoding`, which is what matchers are tried on.
  package private(set) lazy var decodedBody = DecodedBody(
    body ?? [], contentEncodings: texts(ofHeader: "content-encoding"))

  /// The body as JSON; `nil` where it isn't any.
  private(set) lazy var readBody: Result<JSONValue?, MatchingDoubt> = Result {
    () throws(MatchingDoubt) in try JSONValue.sent(decodedBody.bytes)
  }

  /// The same; `nil` also where it can't be read.
  package var bodyJSON: JSONValue? { (try? readBody.get()) ?? nil }

  /// - Parameters:
  ///   - method: `GET` where the record doesn't say, as for a bare URL.
  ///   - body: made once a pattern asks for it.
  package init(
    method: String?, url: String, headers: [String: String] = [:],
    body: @escaping @autoclosure () -> [UInt8]? = nil, event: AnalyticsEvent? = nil
  ) {
    self.event = event
    self.method = method ?? "GET"
    self.url = RequestURL(url)
    makeBody = body
    rawHeaders = headers
  }

  /// The decoded values of a query parameter, in their order.
  func values(ofParameter name: [UInt8]) -> [[UInt8]] {
    queryItems.filter { $0.name == name }.map(\.value)
  }

  /// The values of a header, whatever the case of its name.
  func values(ofHeader name: String) -> [[UInt8]] {
    texts(ofHeader: name).map { Array($0.utf8) }
  }

  func texts(ofHeader name: String) -> [String] {
    let name = name.lowercased()
    let found = rawHeaders.filter { Self.isName(name, $0.key) }
    if found.count < 2 { return found.map(\.value) }
    return found.sorted { $0.key < $1.key }.map(\.value)
  }

  /// - Parameter lowercased: in small letters.
  private static func isName(_ lowercased: String, _ name: String) -> Bool {
    guard name.utf8.allSatisfy({ $0 < 0x80 }) else {
      return lowercased.hasSameBytes(as: name.lowercased())
    }
    return lowercased.utf8.count == name.utf8.count
      && zip(lowercased.utf8, name.utf8).allSatisfy { small, byte in
        small == ((0x41...0x5A).contains(byte) ? byte | 0x20 : byte)
      }
  }

  func values(ofCookie name: String) -> [[UInt8]] {
    cookies.filter { $0.name == Array(name.utf8) }.map(\.value)
  }

  /// The URL without volatile parameters.
  func url(without parameters: VolatileParameters) -> RequestURL {
    if parameters.isEmpty { return url }
    let url = stripped ?? parameters.removed(from: url)
    stripped = url
    return url
  }

  /// RFC 6265, section 4.2.1: pairs separated by `; `, nothing decoded.
  private static func cookies(in headers: [String]) -> [(name: [UInt8], value: [UInt8])] {
    headers.flatMap { $0.utf8.split(separator: UInt8(ascii: ";")) }.map { pair in
      let pair = trimmed(Array(pair)[...])
      let equals = pair.firstIndex(of: UInt8(ascii: "=")) ?? pair.endIndex
      return (Array(trimmed(pair[..<equals])), Array(trimmed(pair[equals...].dropFirst())))
    }
  }

  private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let front = bytes.drop { $0 == 0x20 || $0 == 0x09 }
    let end = front.lastIndex { $0 != 0x20 && $0 != 0x09 }.map { $0 + 1 } ?? front.startIndex
    return front[..<end]
  }
}

extension JSONValue {
  /// JSON as it was sent: half of a surrogate pair alone, which some apps leave when they cut a text, is no
  /// reason to read nothing of it.
  ///
  /// - Returns: `nil` where the bytes are not JSON as RFC 8259 has it.
  package init?(body: some Sequence<UInt8>) {
    guard let value = try? Self.sent(body) else { return nil }
    self = value
  }

  /// The same; JSON that can't be read isn't taken for something else.
  ///
  /// - Throws: where it is nested too deeply, or is too long.
  static func sent(_ bytes: some Sequence<UInt8>) throws(MatchingDoubt) -> JSONValue? {
    do throws(JSONError) {
      return try JSONValue(parsing: bytes, limits: JSONLimits(replacesLoneSurrogates: true))
    } catch {
      switch error.reason {
      case .tooDeep, .tooLong: throw .undecodableBody(problem: "is JSON \(error.reason)")
      default: return nil
      }
    }
  }
}
