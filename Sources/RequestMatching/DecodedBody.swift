import CSystem
import Foundation

/// A body as the app meant it: its content codings (RFC 9110, section 8.4.1) undone.
package struct DecodedBody: Sendable, Equatable {
  /// What was sent, where it can't be decoded.
  package var bytes: [UInt8]
  /// Why it can't be decoded: `isn't valid gzip`.
  package var problem: String?

  /// What comes out of a body at most: a few kilobytes can hold gigabytes.
  package static let limitBytes = 64 << 20

  /// Some clients write the character set where the coding belongs.
  private static let plainCodings: Set = ["identity", "utf-8", "utf8"]

  /// - Parameter contentEncodings: the values of that header.
  package init(_ body: [UInt8], contentEncodings: [String]) {
    let codings = contentEncodings.flatMap { $0.split(separator: ",") }
      .map { $0.trimmingCharacters(in: .whitespaces).lowercased() }
      .filter { !$0.isEmpty && !Self.plainCodings.contains($0) }
    bytes = body
    guard !body.isEmpty else { return }
    // The last one was applied last.
    for coding in codings.reversed() {
      switch Self.decoded(bytes, coding) {
      case .success(let decoded): bytes = decoded
      case .failure(let failure):
        bytes = body
        problem = failure.words
        return
      }
    }
  }

  private struct Failure: Error {
    var words: String
  }

  private static func decoded(_ body: [UInt8], _ coding: String) -> Result<[UInt8], Failure> {
    switch coding {
    case "gzip", "x-gzip": return unpacked(body, CSYSTEM_GZIP, coding)
    case "deflate":
      let decoded = unpacked(body, CSYSTEM_ZLIB, coding)
      guard case .failure = decoded else { return decoded }
      // Some clients send what the name says, without the header that is meant.
      guard case .success(let raw) = unpacked(body, CSYSTEM_RAW_DEFLATE, coding) else {
        return decoded
      }
      return .success(raw)
    default:
      return .failure(Failure(words: "has the content coding \"\(coding)\", which isn't undone"))
    }
  }

  private static func unpacked(
    _ body: [UInt8], _ packing: csystem_packing, _ coding: String
  ) -> Result<[UInt8], Failure> {
    var (output, count) = (nil as UnsafeMutablePointer<UInt8>?, 0)
    let status = csystem_inflate(body, body.count, packing, limitBytes, &output, &count)
    defer { free(output) }
    switch status {
    case CSYSTEM_INFLATED: return .success(Array(UnsafeBufferPointer(start: output, count: count)))
    case CSYSTEM_INFLATE_TRUNCATED:
      return .failure(Failure(words: "is \(coding) that ends too early"))
    case CSYSTEM_INFLATE_TOO_LARGE:
      return .failure(Failure(words: "is \(coding) of more than \(limitBytes >> 20) MiB"))
    case CSYSTEM_INFLATE_UNAVAILABLE:
      return .failure(
        Failure(words: "is \(coding), and zlib (libz.so.1) can't be loaded: install it"))
    default: return .failure(Failure(words: "isn't valid \(coding)"))
    }
  }
}
