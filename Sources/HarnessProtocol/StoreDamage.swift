import Foundation

/// What in a store can't be trusted; never empty when thrown.
package struct StoreDamage: Error, Sendable {
  package enum Reason: Sendable, Equatable {
    /// The last line has no newline: its writer was killed, or the disk was full.
    case unterminated
    case malformed(RecordedLineFault)
    case lineTooLong(Int)
    /// A link, a folder, a pipe.
    case notARegularFile
    /// With the system's error number.
    case unreadable(code: Int32)
    /// A file that isn't the store's.
    case misnamed
    /// Removed or renamed since an earlier look.
    case vanished
    /// Another file has its name.
    case replaced
    /// In bytes.
    case shrank(from: Int, to: Int)
    /// From this byte on there is nothing but zeros: it was made longer without being written.
    case gap(Int)
    /// What was there at an earlier look isn't there any more, though the file is as long.
    case rewritten
    /// The shared folder was removed or renamed.
    case folderVanished
    /// A link, or another folder.
    case folderReplaced
  }

  package struct Place: Sendable, Equatable {
    /// The file's name in the shared folder.
    package var file: String
    /// From 1; `nil` where the whole file is meant.
    package var line: Int?
    package var reason: Reason
    /// The beginning of the line.
    package var bytes: [UInt8] = []
    /// How long the line is.
    package var byteCount = 0
  }

  static let placeLimit = 5
  static let shownBytes = 160

  /// The first places.
  package private(set) var places: [Place] = []
  /// How many places there are in all.
  package private(set) var count = 0

  init() {}

  init(_ place: Place) {
    add(place)
  }

  mutating func add(_ place: Place) {
    count += 1
    if places.count < Self.placeLimit { places.append(place) }
  }

  package var isEmpty: Bool { count == 0 }
}

extension StoreDamage: CustomStringConvertible {
  /// One or two sentences and the lines themselves, safe to be shown.
  package var description: String {
    let more = count > places.count ? ["And \(count - places.count) more."] : []
    return (places.map(\.description) + more).joined(separator: "\n")
  }
}

extension StoreDamage.Place: CustomStringConvertible {
  package var description: String {
    let place = line.map { "\(file):\($0)" } ?? file
    let shown = byteCount == 0 ? "" : ": \(excerpt)"
    return "\(place): \(reason)\(shown)"
  }

  /// The line's beginning in printable ASCII; other bytes as `\xNN`.
  private var excerpt: String {
    let text = bytes.map { byte in
      (0x20..<0x7F).contains(byte) && byte != UInt8(ascii: "\\")
        ? String(UnicodeScalar(byte)) : byte == UInt8(ascii: "\\") ? #"\\"# : escaped(byte)
    }
    let rest = byteCount - bytes.count
    return text.joined() + (rest > 0 ? "… (\(rest) more bytes)" : "")
  }

  private func escaped(_ byte: UInt8) -> String {
    #"\x"# + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
  }
}

extension StoreDamage.Reason: CustomStringConvertible {
  package var description: String {
    switch self {
    case .unterminated: "the last line has no end, so it was not written whole"
    case .malformed(let fault): fault.description
    case .lineTooLong(let line): "line \(line) is longer than any request"
    case .notARegularFile:
      "this isn't a regular file. The app must make the store one, not a link, a folder or a pipe"
    case .unreadable(let code): "this can't be read (\(String(cString: strerror(code))))"
    case .misnamed:
      "this file doesn't belong in the shared folder. Requests are recorded in storedRequests.jsonl or "
        + "storedRequests.<pid>.jsonl; keep other files in TMPDIR"
    case .vanished: "the file was there after an earlier action and is gone. \(Self.remedy)"
    case .replaced: "another file has taken the place of this one. \(Self.remedy)"
    case .shrank(let from, let to):
      "the file shrank from \(from) to \(to) bytes. \(Self.remedy)"
    case .gap(let start):
      "the file was made longer without being written: from byte \(start) on there are only zeros. \(Self.remedy)"
    case .rewritten:
      "the file was written without being appended to, so earlier requests may be lost. \(Self.remedy)"
    case .folderVanished: "the shared folder was removed or renamed. The app must leave it alone"
    case .folderReplaced:
      "the shared folder was replaced by a link or another folder. The app must leave it alone"
    }
  }

  private static let remedy =
    "The app must only append to the store: open it for appending, and never cut, remove or rename it"
}
