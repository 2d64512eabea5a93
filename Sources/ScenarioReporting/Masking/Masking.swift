import ScenarioCore

/// Takes secrets out of everything that is written: the values of `--secret` variables from any
/// text, the values of credential headers and cookies from what apps say and from files.
///
/// Works on the events of a run, after the verdicts: it changes what is shown, never what is judged.
package struct Masking: Sendable {
  private static let mask = Array(SecretMask.text.utf8)

  /// A shorter value is masked only where it is a word of its own.
  package static let shortestSecret = SecretForms.shortestPart

  private let secrets: SecretMatcher
  let files = MaskedFiles()

  /// - Parameter values: the secret values; empty ones are left out.
  package init(secrets values: [String] = []) {
    secrets = SecretMatcher(values.flatMap { SecretForms($0).patterns })
  }

  /// Whether there is anything to look for but credential headers.
  var hasSecrets: Bool { !secrets.isEmpty }

  /// A text without secret values: a name, a URL, a message of the runner.
  package func masked(_ text: String) -> String {
    masked(text, hiding: [])
  }

  /// - Parameter others: what is a secret in this text only.
  func masked(_ text: String, hiding others: [SecretMatcher]) -> String {
    let matchers = ([secrets] + others).filter { !$0.isEmpty }
    guard !matchers.isEmpty else { return text }
    return replaced(text) { bytes in
      seenRanges(in: bytes) { seen in matchers.flatMap { $0.ranges(in: seen) }.merged() }
    }
  }

  /// A text that an app wrote, without secret values and without those of credential headers.
  func maskedWords(_ text: String, cut: SecretMatcher.Cut = []) -> String {
    replaced(text) { ranges(in: $0, cut: cut) }
  }

  /// What an app wrote to a file or a stream.
  package func masked(_ bytes: [UInt8]) -> [UInt8] { masked(bytes, cut: []) }

  func masked(_ bytes: [UInt8], cut: SecretMatcher.Cut) -> [UInt8] {
    let ranges = bytes.withUnsafeBufferPointer { self.ranges(in: $0, cut: cut) }
    return ranges.isEmpty ? bytes : Self.replaced(ranges, in: bytes)
  }

  /// Ranges of secrets and of credentials, merged.
  func ranges(
    in text: UnsafeBufferPointer<UInt8>, cut: SecretMatcher.Cut = []
  ) -> [Range<Int>] {
    seenRanges(in: text) {
      (CredentialScanner.ranges(in: $0) + secrets.ranges(in: $0, cut: cut)).merged()
    }
  }

  /// What is found in a text, also where what nobody sees of it stands in between.
  private func seenRanges(
    in text: UnsafeBufferPointer<UInt8>, _ find: (UnsafeBufferPointer<UInt8>) -> [Range<Int>]
  ) -> [Range<Int>] {
    let found = find(text)
    guard let seen = SeenText(text) else { return found }
    let ranges = (found + seen.bytes.withUnsafeBufferPointer(find).map(seen.original)).merged()
    return ranges.isEmpty ? [] : (ranges + seen.broken(by: ranges)).merged()
  }

  private func replaced(
    _ text: String, _ find: (UnsafeBufferPointer<UInt8>) -> [Range<Int>]
  ) -> String {
    var text = text
    return text.withUTF8 { bytes -> String? in
      let ranges = find(bytes)
      guard !ranges.isEmpty else { return nil }
      return String(decoding: Self.replaced(ranges, in: bytes), as: UTF8.self)
    } ?? text
  }

  private static func replaced(
    _ ranges: [Range<Int>], in bytes: some RandomAccessCollection<UInt8>
  ) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var rest = bytes[...]
    var done = 0
    for range in ranges {
      result += rest.prefix(range.lowerBound - done)
      result += mask
      rest = rest.dropFirst(range.upperBound - done)
      done = range.upperBound
    }
    return result + rest
  }
}

extension [Range<Int>] {
  /// In order, none touching another.
  func merged() -> [Range<Int>] {
    guard count > 1 else { return self }
    var merged: [Range<Int>] = []
    for range in sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = merged.last, range.lowerBound <= last.upperBound {
        merged[merged.count - 1] = last.lowerBound..<Swift.max(last.upperBound, range.upperBound)
      } else {
        merged.append(range)
      }
    }
    return merged
  }
}
