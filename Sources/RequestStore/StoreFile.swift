import Foundation
import HarnessWire

/// One file of the store, as the reader meets it.
struct StoreFile {
  let name: String
  private let folder: String

  /// The action and the time of the first request; the name where these don't decide.
  struct Start: Comparable {
    var action: Int
    var time: Double
    var name: String

    static func < (left: Self, right: Self) -> Bool {
      (left.action, left.time, left.name) < (right.action, right.time, right.name)
    }
  }

  init(folder: String, name: String) {
    self.folder = folder
    self.name = name
  }

  /// Where the file belongs among the others; read from it.
  var start: Start {
    var start = Start(action: .max, time: .infinity, name: name)
    guard var lines = try? LineFile(path: folder + "/" + name, chunkBytes: 4096),
      let line = try? lines.next(), line.isTerminated,
      let first = try? RecordedRequestLine(scanning: line.buffer, line.range)
    else { return start }
    start.action = first.action ?? .max
    start.time = first.time ?? .infinity
    return start
  }

  /// Calls with each whole line; what is damaged is added up.
  func forEachLine(
    _ damage: inout StoreDamage, _ body: (RecordedRequestLine) throws -> Void
  ) throws {
    let cancelled = cancellations(&damage)
    try forEachLine(of: name, &damage) { line throws(RecordedLineFault) in
      var request = try RecordedRequestLine(scanning: line.buffer, line.range)
      if let ordinal = request.ordinal, cancelled.contains(ordinal) { request.isCancelled = true }
      return request
    } body: {
      try body($0)
    }
  }

  /// The numbers of the requests that the app cancelled.
  private func cancellations(_ damage: inout StoreDamage) -> Set<Int> {
    let sideFile = StoreLayout.cancellationFile(besides: name)
    var ordinals: Set<Int> = []
    guard LineFile.exists(folder + "/" + sideFile) else { return ordinals }
    try? forEachLine(of: sideFile, &damage) { line throws(RecordedLineFault) in
      let text = String(decoding: line.buffer[line.range], as: UTF8.self)
      guard let ordinal = Int(text) else { throw .notANumber }
      return ordinal
    } body: {
      ordinals.insert($0)
    }
    return ordinals
  }

  private func forEachLine<Content>(
    of name: String, _ damage: inout StoreDamage,
    content: (LineFile.Line) throws(RecordedLineFault) -> Content,
    body: (Content) throws -> Void
  ) throws {
    do {
      var lines = try LineFile(path: folder + "/" + name)
      while let line = try lines.next() {
        guard line.isTerminated else {
          damage.add(line.damage(in: name, .unterminated))
          continue
        }
        let whole: Content
        do throws(RecordedLineFault) {
          whole = try content(line)
        } catch {
          damage.add(line.damage(in: name, .malformed(error)))
          continue
        }
        try body(whole)
      }
    } catch let error as LineFile.Failure {
      damage.add(.init(file: name, reason: error.reason))
    }
  }
}

extension LineFile.Line {
  fileprivate func damage(in file: String, _ reason: StoreDamage.Reason) -> StoreDamage.Place {
    StoreDamage.Place(
      file: file, line: number, reason: reason,
      bytes: Array(buffer[range].prefix(StoreDamage.shownBytes)), byteCount: range.count)
  }
}
