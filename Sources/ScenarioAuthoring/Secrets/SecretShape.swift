import Foundation
import RequestMatching

/// Tells by its look what gives access to something or names somebody.
///
/// The shape of a JSON Web Token, and 3.5 bits a character as the least entropy of a random one, are those
/// of gitleaks' rules `jwt` and `generic-api-key` (https://github.com/gitleaks/gitleaks).
enum SecretShape {
  private static let leastEntropy = 3.5
  private static let shortestToken = 20
  /// Words that are joined by hyphens, dates and UUIDs have shorter ones.
  private static let shortestRun = 16

  /// Whether a whole value is a random text: letters and digits in no order that words have.
  static func isRandom(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    guard (shortestToken...4096).contains(bytes.count),
      bytes.allSatisfy({ isAlphanumeric($0) || "-_+/=.~".utf8.contains($0) })
    else { return false }
    let run = bytes.split { !isAlphanumeric($0) }.max { $0.count < $1.count } ?? []
    guard run.count >= shortestRun, run.count(where: isDigit) >= 2,
      run.count(where: { !isDigit($0) }) >= 2
    else { return false }
    // Hexadecimal digits have 4 bits at most.
    let isHash = run.count >= 32 && run.allSatisfy(isHexDigit)
    return entropy(of: run) >= (isHash ? 3 : leastEntropy)
  }

  /// Shannon's entropy, in bits a byte.
  private static func entropy(of bytes: ArraySlice<UInt8>) -> Double {
    var counts: [UInt8: Int] = [:]
    for byte in bytes { counts[byte, default: 0] += 1 }
    return counts.values.reduce(0) { sum, count in
      let share = Double(count) / Double(bytes.count)
      return sum - share * log2(share)
    }
  }

  // MARK: - In a text

  /// Where tokens of known shapes are: JSON Web Tokens, and keys that begin as a service's do.
  static func tokens(in bytes: [UInt8]) -> [Range<Int>] {
    runs(in: bytes) { isAlphanumeric($0) || $0 == hyphen || $0 == underscore || $0 == dot }
      .filter { isToken(bytes[$0]) }
  }

  private static func isToken(_ run: ArraySlice<UInt8>) -> Bool {
    guard run.count >= shortestToken else { return false }
    let parts = run.split(separator: dot, omittingEmptySubsequences: false)
    if parts.count == 3,
      parts.prefix(2).allSatisfy({ $0.count >= 17 && $0.starts(with: "ey".utf8) })
    {
      return true
    }
    return SecretNames.keyBeginnings.contains { run.starts(with: $0.utf8) }
  }

  /// Where e-mail addresses are.
  static func emailAddresses(in bytes: [UInt8]) -> [Range<Int>] {
    guard bytes.contains(at) else { return [] }
    return runs(in: bytes) { isAlphanumeric($0) || "@._%+-".utf8.contains($0) }.compactMap { run in
      // A sentence may end after it.
      var run = run
      while let last = bytes[run].last, !isAlphanumeric(last) { run = run.dropLast() }
      while let first = bytes[run].first, !isAlphanumeric(first) { run = run.dropFirst() }
      return isEmailAddress(bytes[run]) ? run : nil
    }
  }

  private static func isEmailAddress(_ run: ArraySlice<UInt8>) -> Bool {
    let parts = run.split(separator: at, omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty else { return false }
    let labels = parts[1].split(separator: dot, omittingEmptySubsequences: false)
    guard labels.count >= 2, labels.allSatisfy(isHostLabel), let last = labels.last else {
      return false
    }
    let ending = String(decoding: last, as: UTF8.self).lowercased()
    return ending.count >= 2 && ending.allSatisfy(\.isLetter) && !fileEndings.contains(ending)
  }

  /// Letters, digits and hyphens, as host names have them (RFC 1123, 2.1).
  private static func isHostLabel(_ label: ArraySlice<UInt8>) -> Bool {
    !label.isEmpty && label.allSatisfy { isAlphanumeric($0) || $0 == hyphen }
  }

  /// Of pictures for screens of a high resolution (`cart@2x.png`), of versions (`lib@next.js`) and of parts
  /// of a stream (`360p@1.ts`).
  private static let fileEndings: Set<String> = [
    "png", "jpg", "jpeg", "gif", "webp", "svg", "avif", "heic", "js", "mjs", "css", "json", "html",
    "ts", "mp4",
  ]

  private static func runs(
    in bytes: [UInt8], of isPart: (UInt8) -> Bool
  ) -> [Range<Int>] {
    var runs: [Range<Int>] = []
    var start: Int?
    for index in 0...bytes.count {
      if index < bytes.count, isPart(bytes[index]) {
        start = start ?? index
      } else if let begin = start {
        runs.append(begin..<index)
        start = nil
      }
    }
    return runs
  }

  private static let at = UInt8(ascii: "@")
  private static let dot = UInt8(ascii: ".")
  private static let hyphen = UInt8(ascii: "-")
  private static let underscore = UInt8(ascii: "_")

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  private static func isHexDigit(_ byte: UInt8) -> Bool {
    isDigit(byte) || (0x41...0x46).contains(byte & 0xDF)
  }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    isDigit(byte) || (0x41...0x5A).contains(byte & 0xDF)
  }
}
