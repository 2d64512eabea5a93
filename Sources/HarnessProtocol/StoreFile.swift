import CSystem
import Foundation

/// One file of the store, as the reader meets it.
struct StoreFile {
  let name: String
  /// A descriptor of the shared folder.
  let folder: Int32
  /// What was in hand while it was written.
  let growth: StoreGrowth

  /// The action and the time of the first request; the name where these don't decide.
  struct Start: Comparable {
    var action: Int
    var time: Double
    var name: String

    static func < (left: Self, right: Self) -> Bool {
      (left.action, left.time, left.name) < (right.action, right.time, right.name)
    }
  }

  /// Where the file belongs among the others; read from it.
  var start: Start {
    var start = Start(action: .max, time: .infinity, name: name)
    guard var lines = try? LineFile(name: name, in: folder, chunkBytes: 4096),
      let line = try? lines.next(), line.isTerminated,
      let first = try? RecordedRequestLine(scanning: line.buffer, line.range)
    else { return start }
    start.action = first.action ?? .max
    start.time = first.time ?? .infinity
    return start
  }

  /// Calls with each request, its end included; what is damaged is added up, and so is what `body`
  /// says about a line.
  func forEachRequest(
    _ damage: inout StoreDamage,
    _ body: (RecordedRequestLine) throws(RecordedLineFault) -> Void
  ) {
    do throws(LineFile.Failure) {
      var ends = try self.ends()
      var count = 0
      var growth = growth
      var lines = try LineFile(name: name, in: folder)
      while let line = try lines.next() {
        do throws(RecordedLineFault) {
          guard line.isTerminated else {
            damage.add(line.damage(in: name, .unterminated))
            continue
          }
          try read(line, &count, &ends) { (request) throws(RecordedLineFault) in
            try body(request)
            guard let action = request.action else { return }
            if let inHand = growth.action(atLineEnding: line.end), action > inHand {
              throw .laterAction(action, inHand: inHand)
            }
          }
        } catch {
          damage.add(line.damage(in: name, .malformed(error)))
        }
      }
    } catch {
      damage.add(.init(file: name, reason: error.reason))
    }
  }

  private func read(
    _ line: LineFile.Line, _ count: inout Int, _ ends: inout RequestEnds,
    _ body: (RecordedRequestLine) throws(RecordedLineFault) -> Void
  ) throws(RecordedLineFault) {
    let content: RecordedLine
    do throws(RecordedLineFault) {
      content = try RecordedLine(scanning: line.buffer, line.range)
    } catch {
      // It stands for a request, so that the numbers of the others hold.
      count += 1
      throw error
    }
    switch content {
    case .request(var request):
      count += 1
      request.end = ends[count]
      request.overlap = ends.overlap(of: count)
      try body(request)
    case .end(let number, let end): try ends.confirm(end, of: number, behind: count)
    }
  }

  /// The ends of the requests, which are in later lines than the requests themselves.
  private func ends() throws(LineFile.Failure) -> RequestEnds {
    var ends = RequestEnds()
    var count = 0
    var lines = try LineFile(name: name, in: folder)
    while let line = try lines.next() {
      if line.mayBeEnd, case .end(let number, let end) = line.content {
        ends.add(end, of: number, behind: count)
      } else {
        count += 1
      }
    }
    return ends
  }
}

extension LineFile.Line {
  /// Far cheaper than to scan each line twice.
  fileprivate var mayBeEnd: Bool {
    buffer.withUnsafeBytes { bytes in
      bytes.baseAddress.map {
        csystem_contains($0 + range.lowerBound, range.count, #""ends""#)
      } ?? false
    }
  }

  fileprivate var content: RecordedLine? { try? RecordedLine(scanning: buffer, range) }

  fileprivate func damage(in file: String, _ reason: StoreDamage.Reason) -> StoreDamage.Place {
    StoreDamage.Place(
      file: file, line: number, reason: reason,
      bytes: Array(buffer[range].prefix(StoreDamage.shownBytes)), byteCount: range.count)
  }
}

/// The names in a shared folder: nothing but the store may be in it.
enum StoreLayout {
  private static let sharedFile = "storedRequests.jsonl"
  private static let prefix = "storedRequests."
  private static let suffix = ".jsonl"

  /// The file of one process.
  static func storeFile(processID: Int32) -> String { "\(prefix)\(processID)\(suffix)" }

  static func isStoreFile(_ name: String) -> Bool {
    if name == sharedFile { return true }
    guard name.hasPrefix(prefix), name.hasSuffix(suffix) else { return false }
    let processID = name.utf8.dropFirst(prefix.utf8.count).dropLast(suffix.utf8.count)
    return !processID.isEmpty && processID.allSatisfy { (0x30...0x39).contains($0) }
  }
}
