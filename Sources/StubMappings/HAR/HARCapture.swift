import Foundation
import JSON
import RequestMatching

/// A capture of real traffic (HAR 1.2), as browsers and proxies export it.
///
/// Loading it finds where each exchange is; of the file itself nothing is kept. An answer is read when
/// it is asked for.
package final class HARCapture: Sendable {
  package var path: String { file.path }
  /// How many entries are without an answer.
  package let unansweredCount: Int
  private let file: StubFile
  private let byteCount: Int
  /// Those that were answered, in the file's order.
  private let entries: [HAREntry]
  /// Which entries a method and a URL lead to.
  private let indexes: [String: [Int]]

  /// - Parameter bytes: the file's.
  /// - Throws: `HARFault` where the file is damaged, or has no `log.entries`.
  init(_ file: StubFile, bytes: UnsafeBufferPointer<UInt8>) throws(HARFault) {
    let all: [HAREntry]?
    do throws(JSONError) {
      all = try HAREntry.list(in: bytes)
    } catch {
      throw HARFault("This isn't valid JSON: \(error.reason).", at: error.offset)
    }
    guard let all else { throw HARFault("The capture has no \"entries\" in its \"log\".", at: 0) }
    self.file = file
    byteCount = bytes.count
    entries = all.filter(\.isAnswered)
    unansweredCount = all.count - entries.count
    indexes = Self.indexes(of: entries, CapturedBytes(bytes))
  }

  /// How many exchanges can be replayed.
  package var count: Int { entries.count }

  private static func indexes(of entries: [HAREntry], _ bytes: CapturedBytes) -> [String: [Int]] {
    var indexes: [String: [Int]] = [:]
    for (index, entry) in entries.enumerated() {
      let key = key(method: bytes.text(entry.method), url: RequestURL(bytes.text(entry.url)))
      indexes[key, default: []].append(index)
    }
    return indexes
  }

  private static func key(method: String, url: RequestURL) -> String {
    // Foundation sends the usual methods in capitals, however an app writes them.
    "\(method.uppercased()) \(ComparableURL.text(of: url))"
  }

  private func read<R>(_ body: (CapturedBytes) -> R) throws(HARFault) -> R {
    let result: R?
    do {
      result = try file.withBytes { $0.count == byteCount ? body(CapturedBytes($0)) : nil } ?? nil
    } catch {
      throw HARFault("\(error)", at: 0)
    }
    guard let result else { throw HARFault("The file has changed since it was loaded.", at: 0) }
    return result
  }
}

// MARK: - Answers

extension HARCapture {
  /// The entries that may answer a request, in the order in which they do: those with its method and
  /// URL and, where these leave several bodies, its body.
  func entries(for request: MatchableRequest) throws(HARFault) -> [Int] {
    let sameURL = indexes[Self.key(method: request.method, url: request.url)] ?? []
    guard sameURL.count > 1 else { return sameURL }
    return try read { bytes in
      // Where all captured bodies are equal, a body can't decide, and need not be the same.
      let bodies = sameURL.map { bytes[entries[$0].postData] }
      let isDecided = bodies.contains { !$0.elementsEqual(bodies[0]) }
      return ordered(isDecided ? having(request, sameURL, bytes) : sameURL, bytes)
    }
  }

  /// Those of some entries whose captured request had this one's body; where there are none, those
  /// of which the capture doesn't tell the body.
  private func having(
    _ request: MatchableRequest, _ candidates: [Int], _ bytes: CapturedBytes
  ) -> [Int] {
    var unknown: [Int] = []
    let same = candidates.filter { index in
      let body = postData(entries[index], bytes)
      if case .unknown = body { unknown.append(index) }
      return body.isBody(of: request)
    }
    return same.isEmpty ? unknown : same
  }

  /// The entries in the order of `startedDateTime`; in the file's where one has none that can be read.
  private func ordered(_ candidates: [Int], _ bytes: CapturedBytes) -> [Int] {
    let dates = candidates.compactMap { index in
      entries[index].started.flatMap { HAREntry.date(bytes.text($0)) }
    }
    guard dates.count == candidates.count else { return candidates }
    return zip(dates, candidates).sorted { $0 < $1 }.map(\.1)
  }

  func message(of entry: Int) throws(HARFault) -> StubMessage {
    let entry = entries[entry]
    let response: Result<StubMessage, HARResponse.Fault> = try read { bytes in
      Result { () throws(HARResponse.Fault) in
        try HARResponse(bytes.value(entry.response), status: entry.status).message()
      }
    }
    do {
      return try response.get()
    } catch {
      throw HARFault(
        "The response can't be read: \(error.rawValue).", at: entry.response?.lowerBound ?? 0)
    }
  }
}

// MARK: - Requests

/// What was asked in a captured exchange.
struct CapturedRequest {
  var method: String
  var url: RequestURL
  var body: HARPostData
}

extension HARCapture {
  /// The requests of all entries, without their bodies' content.
  func requestLines() throws(HARFault) -> [(method: String, url: RequestURL)] {
    try read { bytes in
      entries.map { (bytes.text($0.method), RequestURL(bytes.text($0.url))) }
    }
  }

  func request(of entry: Int) throws(HARFault) -> CapturedRequest {
    let entry = entries[entry]
    return try read { bytes in
      CapturedRequest(
        method: bytes.text(entry.method), url: RequestURL(bytes.text(entry.url)),
        body: postData(entry, bytes))
    }
  }

  /// The line in which an entry has its URL, from 1.
  func line(of entry: Int) throws(HARFault) -> Int {
    let offset = offset(of: entry)
    return try read { $0.line(at: offset) }
  }

  /// Where an entry has its URL, in the file's bytes.
  func offset(of entry: Int) -> Int { entries[entry].url?.range.lowerBound ?? 0 }

  private func postData(_ entry: HAREntry, _ bytes: CapturedBytes) -> HARPostData {
    HARPostData(entry.postData.map { _ in bytes[entry.postData] }, bodySize: entry.bodySize)
  }
}

/// The bytes of a capture, while they are there.
private struct CapturedBytes {
  private let bytes: UnsafeBufferPointer<UInt8>

  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes
  }

  subscript(range: Range<Int>?) -> Slice<UnsafeBufferPointer<UInt8>> { bytes[range ?? 0..<0] }

  func text(_ text: JSONReader.Text?) -> String {
    text.map { JSONReader(bytes).decoded($0) } ?? ""
  }

  /// `null` for what isn't JSON: loading looks at brackets alone.
  func value(_ range: Range<Int>?) -> JSONValue {
    (try? JSONValue(parsing: self[range], limits: HAREntry.limits)) ?? .null
  }

  func line(at offset: Int) -> Int {
    1 + bytes[..<offset].count { $0 == UInt8(ascii: "\n") }
  }
}

/// What in a capture can't be read, and where.
package struct HARFault: Error, Sendable, Equatable {
  package var message: String
  /// In the file's bytes.
  package var offset: Int

  init(_ message: String, at offset: Int) {
    self.message = message
    self.offset = offset
  }
}
