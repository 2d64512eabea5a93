import Foundation
import RequestMatching
import SourceText
import Synchronization

/// A capture of real traffic (HAR 1.2), as browsers and proxies export it.
///
/// Loading it finds where each exchange is; an answer is decoded when it is asked for.
package final class HARCapture: Sendable {
  package var path: String { file.path }
  private let file: SourceFile
  /// Those that were answered, in the file's order.
  private let entries: [HAREntry]
  /// How many there are without an answer.
  package let unansweredCount: Int
  /// Which entries a method and a URL lead to.
  private let indexes: [String: [Int]]

  /// - Throws: `HARFault` where the file is damaged, or has no `log.entries`.
  init(_ file: SourceFile) throws(HARFault) {
    self.file = file
    let all = try Self.scan(file)
    entries = all.filter(\.isAnswered)
    unansweredCount = all.count - entries.count
    var indexes: [String: [Int]] = [:]
    for (index, entry) in entries.enumerated() {
      guard let method = entry.method, let url = entry.url else { continue }
      let key = Self.key(
        method: JSONText.decoded(method, in: file.bytes),
        url: RequestURL(JSONText.decoded(url, in: file.bytes)))
      indexes[key, default: []].append(index)
    }
    self.indexes = indexes
  }

  /// How many exchanges can be replayed.
  package var count: Int { entries.count }

  /// Whether a file is a capture: its object has a `log`.
  static func isCapture(_ file: SourceFile) -> Bool {
    var found = false
    try? forEachMember(of: file) { (scanner, isLog) throws(HARFault) in
      guard isLog else {
        _ = try scanner.value()
        return
      }
      found = true
      // The rest doesn't matter.
      throw HARFault("", at: scanner.at)
    }
    return found
  }

  private static func scan(_ file: SourceFile) throws(HARFault) -> [HAREntry] {
    var entries: [HAREntry]?
    try forEachMember(of: file) { (scanner, isLog) throws(HARFault) in
      guard isLog else {
        _ = try scanner.value()
        return
      }
      try scanner.object { (scanner, key) throws(HARFault) in
        guard file.bytes[key].elementsEqual("entries".utf8) else {
          _ = try scanner.value()
          return
        }
        var found: [HAREntry] = []
        try file.bytes.withUnsafeBufferPointer { bytes throws(HARFault) in
          try scanner.array { scanner throws(HARFault) in
            found.append(try HAREntry(&scanner, bytes))
          }
        }
        entries = found
      }
    }
    guard let entries else {
      throw HARFault("The capture has no \"entries\" in its \"log\".", at: 0)
    }
    return entries
  }

  private static func forEachMember(
    of file: SourceFile, _ body: (inout HARScanner, Bool) throws(HARFault) -> Void
  ) throws(HARFault) {
    let start = file.bytes.starts(with: SourceFile.byteOrderMark) ? 3 : 0
    try file.bytes.withUnsafeBufferPointer { bytes throws(HARFault) in
      var scanner = HARScanner(bytes, from: start)
      try scanner.object { (scanner, key) throws(HARFault) in
        try body(&scanner, file.bytes[key].elementsEqual("log".utf8))
      }
    }
  }
}

extension HARCapture {
  /// The entries for a method and a URL, in the file's order.
  func entries(method: String, url: RequestURL) -> [Int] {
    indexes[Self.key(method: method, url: url)] ?? []
  }

  private static func key(method: String, url: RequestURL) -> String {
    // Foundation sends the usual methods in capitals, however an app writes them.
    "\(method.uppercased()) \(ComparableURL.text(of: url))"
  }

  /// The entries in the order of `startedDateTime`; in the file's where one has none that can be read.
  func ordered(_ candidates: [Int]) -> [Int] {
    let dates = candidates.compactMap { index in
      entries[index].started.flatMap {
        HARDate.parse(JSONText.decoded($0, in: file.bytes))
      }
    }
    guard dates.count == candidates.count else { return candidates }
    return zip(dates, candidates).sorted { $0 < $1 }.map(\.1)
  }

  /// Where an entry is written.
  func source(of entry: Int) -> StubSource {
    let (method, url) = request(of: entry)
    let offset = entries[entry].url?.lowerBound ?? 0
    return StubSource(
      path: path, line: file.position(at: offset).line, name: "\(method) \(url.text)")
  }

  /// The captured method and URL of an entry.
  func request(of entry: Int) -> (method: String, url: RequestURL) {
    func text(_ range: Range<Int>?) -> String {
      range.map { JSONText.decoded($0, in: file.bytes) } ?? ""
    }
    return (text(entries[entry].method), RequestURL(text(entries[entry].url)))
  }

  func postData(of entry: Int) -> HARPostData {
    let entry = entries[entry]
    return HARPostData(entry.postData.map { file.bytes[$0] }, bodySize: entry.bodySize)
  }

  func haveDifferentBodies(_ candidates: [Int]) -> Bool {
    let bodies = candidates.map { entries[$0].postData.map { file.bytes[$0] } ?? [] }
    return bodies.contains { !$0.elementsEqual(bodies[0]) }
  }

  /// Those of some entries whose captured request had this one's body; where there are none, those
  /// of which the capture doesn't tell the body.
  func entries(_ candidates: [Int], withBodyOf request: MatchableRequest) -> [Int] {
    var unknown: [Int] = []
    let same = candidates.filter { index in
      let body = postData(of: index)
      if case .unknown = body { unknown.append(index) }
      return body.isBody(of: request)
    }
    return same.isEmpty ? unknown : same
  }

  func message(of entry: Int) throws(HARFault) -> StubMessage {
    let range = entries[entry].response ?? 0..<0
    do {
      return try HARResponse.decoded(from: file.bytes[range]).message()
    } catch {
      throw HARFault("The response can't be read: \(error)", at: range.lowerBound)
    }
  }
}
