import Foundation

/// Zips bodies with zlib, which is on every system with Foundation.
enum Gzip {
  private typealias Compress =
    @convention(c) @Sendable (
      UnsafeMutablePointer<UInt8>, UnsafeMutablePointer<UInt>, UnsafePointer<UInt8>, UInt, Int32
    ) -> Int32
  private typealias CompressBound = @convention(c) @Sendable (UInt) -> UInt
  private typealias Checksum = @convention(c) @Sendable (UInt, UnsafePointer<UInt8>, UInt32) -> UInt

  private struct Library {
    var compress: Compress
    var compressBound: CompressBound
    var checksum: Checksum

    /// - Returns: `nil` where there is no zlib.
    init?() {
      #if canImport(Darwin)
        let name = "/usr/lib/libz.1.dylib"
      #else
        let name = "libz.so.1"
      #endif
      guard let library = dlopen(name, RTLD_NOW), let compress = dlsym(library, "compress2"),
        let compressBound = dlsym(library, "compressBound"), let checksum = dlsym(library, "crc32")
      else { return nil }
      self.compress = unsafeBitCast(compress, to: Compress.self)
      self.compressBound = unsafeBitCast(compressBound, to: CompressBound.self)
      self.checksum = unsafeBitCast(checksum, to: Checksum.self)
    }
  }

  private static let library = Library()

  /// RFC 1952: a header, the deflated bytes, their checksum and their number.
  ///
  /// - Returns: `nil` where zlib isn't there.
  static func zipped(_ data: Data) -> Data? {
    guard let library else { return nil }
    let bytes = [UInt8](data)
    var count = library.compressBound(UInt(bytes.count))
    var deflated = [UInt8](repeating: 0, count: Int(count))
    let fastest: Int32 = 1
    guard library.compress(&deflated, &count, bytes, UInt(bytes.count), fastest) == 0 else {
      return nil
    }
    let header: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF]
    let checksum = UInt32(truncatingIfNeeded: library.checksum(0, bytes, UInt32(bytes.count)))
    // zlib's own header has two bytes, and its checksum at the end four (RFC 1950).
    return Data(header + deflated[2..<Int(count) - 4])
      + [checksum, UInt32(truncatingIfNeeded: bytes.count)].flatMap { number in
        (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
      }
  }
}
