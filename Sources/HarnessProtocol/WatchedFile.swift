import CSystem
import Foundation

/// One file of the store while the app runs: it may grow, and nothing else.
final class WatchedFile {
  let name: String
  /// The number of the look that found it.
  let firstLook: Int
  /// Held open, so that no other file gets its number; -1 where too many files are held already.
  private let descriptor: Int32
  private let identity: FileIdentity
  /// How much of the file has been seen, with the hash of all of it.
  private var seenBytes = 0
  private var hasher = Hasher()
  private var isMarked = false
  private let folder: Int32
  /// What was in hand while the file grew.
  private(set) var growth = StoreGrowth()

  /// - Parameter isHeld: whether the file is kept open.
  init(
    _ name: String, in folder: Int32, isHeld: Bool, firstLook: Int
  ) throws(LineFile.Failure) {
    self.name = name
    self.firstLook = firstLook
    self.folder = folder
    var status = stat()
    let descriptor = try LineFile.descriptor(of: name, in: folder, &status)
    identity = FileIdentity(status)
    self.descriptor = isHeld ? descriptor : -1
    if !isHeld { close(descriptor) }
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  /// Looks at the file after an answer of the app.
  ///
  /// - Parameter action: the one in hand; what is new now is to be found unchanged later. `nil` at the
  ///   end.
  /// - Returns: what has happened to it that may not.
  func look(during action: Int?) -> StoreDamage.Reason? {
    var status = stat()
    guard fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
      return errno == ENOENT ? .vanished : .unreadable(code: errno)
    }
    guard FileIdentity(status) == identity else { return .replaced }
    let size = Int(status.st_size)
    if size < seenBytes { return .shrank(from: seenBytes, to: size) }
    do throws(LineFile.Failure) {
      return try withDescriptor { (file) throws(LineFile.Failure) in
        // A client that opens the file anew for each request, and empties it by that, may write again
        // what it wrote before.
        if isMarked, size == seenBytes, size > 0, csystem_is_written(file) { return .rewritten }
        guard let action else { return nil }
        seenBytes = try Self.hash(file, from: seenBytes, to: size, into: &hasher)
        growth.add(seenBytes, during: action)
        isMarked = csystem_mark_unwritten(file)
        return nil
      }
    } catch {
      return error.reason
    }
  }

  /// Whether all that has been seen is still there, at the end.
  func compare() -> StoreDamage.Reason? {
    guard seenBytes > 0 else { return nil }
    do throws(LineFile.Failure) {
      return try withDescriptor { (file) throws(LineFile.Failure) in
        var now = Hasher()
        let count = try Self.hash(file, from: 0, to: seenBytes, into: &now)
        return count == seenBytes && now.finalize() == hasher.finalize() ? nil : .rewritten
      }
    } catch {
      return error.reason
    }
  }

  private func withDescriptor<Result>(
    _ body: (Int32) throws(LineFile.Failure) -> Result
  ) throws(LineFile.Failure) -> Result {
    if descriptor >= 0 { return try body(descriptor) }
    var status = stat()
    let file = try LineFile.descriptor(of: name, in: folder, &status)
    defer { close(file) }
    guard FileIdentity(status) == identity else { throw LineFile.Failure(reason: .replaced) }
    return try body(file)
  }

  private static let chunkBytes = 1 << 16

  /// - Returns: where the bytes end that were hashed: before `end` in a file that was cut meanwhile.
  /// - Throws: also at a long gap: nobody wrote there, and to read on could take hours.
  private static func hash(
    _ file: Int32, from start: Int, to end: Int, into hasher: inout Hasher
  ) throws(LineFile.Failure) -> Int {
    var offset = start
    var failure: StoreDamage.Reason?
    withUnsafeTemporaryAllocation(byteCount: min(end - start, chunkBytes), alignment: 8) { buffer in
      while offset < end {
        let count = pread(file, buffer.baseAddress, min(buffer.count, end - offset), off_t(offset))
        if count < 0, errno == EINTR { continue }
        if count < 0 { failure = .unreadable(code: errno) }
        guard count > 0 else { return }
        if count == chunkBytes, buffer.allSatisfy({ $0 == 0 }) {
          failure = .gap(offset)
          return
        }
        hasher.combine(bytes: UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        offset += count
      }
    }
    if let failure { throw LineFile.Failure(reason: failure) }
    return offset
  }
}

/// What was in hand while a file of the store grew, from one look to the next.
struct StoreGrowth {
  private var looks: [(end: Int, action: Int)] = []
  /// Of the looks, those that are behind the reader.
  private var passed = 0

  /// - Parameter end: how long the file has become, in bytes.
  mutating func add(_ end: Int, during action: Int) {
    if end > looks.last?.end ?? 0 { looks.append((end, action)) }
  }

  /// The action that was in hand when a line had been written; `nil` where no look came after it.
  ///
  /// - Parameter end: where the line ends, without its newline; never before that of an earlier call.
  mutating func action(atLineEnding end: Int) -> Int? {
    while passed < looks.count, looks[passed].end <= end { passed += 1 }
    return passed < looks.count ? looks[passed].action : nil
  }
}

/// What makes a file that file, whatever its name.
struct FileIdentity: Equatable {
  private let device: dev_t
  private let number: ino_t

  init(_ status: stat) {
    device = status.st_dev
    number = status.st_ino
  }
}
