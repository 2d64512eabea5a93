import Foundation

/// Cuts a regular file into lines, a piece at a time.
struct LineFile: ~Copyable {
  struct Line {
    /// What the line is a part of: let go of it before the next line is read, or it is copied.
    let buffer: [UInt8]
    /// Without the newline.
    let range: Range<Int>
    /// From 1.
    let number: Int
    let isTerminated: Bool
    /// Where the line ends in the file, in bytes, without the newline.
    let end: Int
  }

  struct Failure: Error {
    var reason: StoreDamage.Reason
  }

  /// A longer line isn't a request; without a bound it would take all memory. Base64 makes 179 MB of a body
  /// of 128 MiB.
  private static let lineLimitBytes = 256 << 20

  private let descriptor: Int32
  private let chunkBytes: Int
  private var buffer: [UInt8]
  /// What has been read and not been handed out.
  private var pending = 0..<0
  private var number = 0
  /// Where the buffer begins in the file.
  private var offset = 0
  private var isAtEnd = false

  /// Opens a regular file; a link or anything else is refused.
  ///
  /// - Parameter folder: a descriptor of its folder.
  init(name: String, in folder: Int32, chunkBytes: Int = 1 << 18) throws(Failure) {
    var status = stat()
    descriptor = try Self.descriptor(of: name, in: folder, &status)
    self.chunkBytes = chunkBytes
    // Most stores are small; one byte more, so that the end is met without growing.
    buffer = Array(repeating: 0, count: min(chunkBytes, Int(status.st_size) + 1))
  }

  deinit {
    close(descriptor)
  }

  /// Opens a regular file to be read.
  static func descriptor(
    of name: String, in folder: Int32, _ status: inout stat
  ) throws(Failure) -> Int32 {
    // Without O_NONBLOCK a pipe of that name would hold up the runner for good.
    let descriptor = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else {
      throw Failure(reason: errno == ELOOP ? .notARegularFile : .unreadable(code: errno))
    }
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw Failure(reason: .notARegularFile)
    }
    return descriptor
  }

  /// The next line, `nil` at the end.
  mutating func next() throws(Failure) -> Line? {
    var searched = 0
    while true {
      if let newline = newline(after: searched) {
        defer { pending = newline + 1..<pending.upperBound }
        return line(pending.lowerBound..<newline, isTerminated: true)
      }
      searched = pending.count
      if isAtEnd {
        defer { pending = pending.upperBound..<pending.upperBound }
        return pending.isEmpty ? nil : line(pending, isTerminated: false)
      }
      try fill()
    }
  }

  private mutating func line(_ range: Range<Int>, isTerminated: Bool) -> Line {
    number += 1
    return Line(
      buffer: buffer, range: range, number: number, isTerminated: isTerminated,
      end: offset + range.upperBound)
  }

  private func newline(after searched: Int) -> Int? {
    buffer.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { return nil }
      let start = pending.lowerBound + searched
      return memchr(base + start, 0x0A, pending.upperBound - start).map {
        UnsafeRawPointer($0) - base
      }
    }
  }

  /// Moves what is pending to the front and reads behind it.
  private mutating func fill() throws(Failure) {
    let (start, count) = (pending.lowerBound, pending.count)
    if count == buffer.count { try growBuffer() }
    let result = buffer.withUnsafeMutableBytes { bytes -> Int in
      guard let base = bytes.baseAddress else { return 0 }
      memmove(base, base + start, count)
      var result: Int
      repeat {
        result = read(descriptor, base + count, bytes.count - count)
      } while result < 0 && errno == EINTR
      return result
    }
    guard result >= 0 else { throw Failure(reason: .unreadable(code: errno)) }
    isAtEnd = result == 0
    offset += start
    pending = 0..<count + result
  }

  /// Makes room for the line that fills the buffer, and one byte more, so that a long line is in memory only
  /// once.
  private mutating func growBuffer() throws(Failure) {
    let length = buffer.count + lengthOfRest
    guard length <= Self.lineLimitBytes else { throw Failure(reason: .lineTooLong(number + 1)) }
    var grown = [UInt8](repeating: 0, count: max(length, chunkBytes) + 1)
    grown.replaceSubrange(..<buffer.count, with: buffer)
    buffer = grown
  }

  /// How much of the line follows what has been read, its newline included, as far as that matters.
  private var lengthOfRest: Int {
    var length = 0
    withUnsafeTemporaryAllocation(byteCount: chunkBytes, alignment: 1) { chunk in
      while let base = chunk.baseAddress, buffer.count + length <= Self.lineLimitBytes {
        let place = offset + pending.upperBound + length
        let count = pread(descriptor, base, chunk.count, off_t(place))
        if count < 0, errno == EINTR { continue }
        // An error is met again when this is read.
        guard count > 0 else { return }
        if let newline = memchr(base, 0x0A, count) {
          length += newline - base + 1
          return
        }
        length += count
      }
    }
    return length
  }
}
