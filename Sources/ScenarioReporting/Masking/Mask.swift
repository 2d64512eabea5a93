import Foundation
import ScenarioCore

/// Replaces secret values in texts by `***`: as they are, escaped as in a URL, in JSON or in XML, and
/// in Base64.
///
/// Takes time that grows with the text and with the number of values.
package struct Mask: Sendable {
  /// What stands in place of a value.
  static let text = Credentials.mask

  /// A shorter line of a value of several lines can be any text: a brace, a name.
  private static let shortestLineLength = 8
  private static let shortestMatch = Credentials.shortestLength
  private static let ellipsis = Array("…".utf8)

  private let forms: [[UInt8]]
  /// The forms that may begin with a byte, by that byte, with what comes second in them.
  private let candidates: [[(form: Int, second: UInt8)]]

  init(_ values: some Sequence<String> = [String]()) {
    forms = Set(values.flatMap(Self.forms)).sorted().map { Array($0.utf8) }
    var candidates = Array(
      repeating: [(form: Int, second: UInt8)](), count: forms.isEmpty ? 0 : 256)
    for (place, form) in forms.enumerated() {
      for byte in Self.beginnings(of: form[0]) {
        candidates[Int(byte)].append((form: place, second: form[1]))
      }
    }
    self.candidates = candidates
  }

  /// - Parameters:
  ///   - isCutBefore: whether the text goes on before its beginning, where a value may have begun.
  ///   - isCutAfter: the same of its end.
  package func masked(
    _ bytes: [UInt8], isCutBefore: Bool = false, isCutAfter: Bool = false
  ) -> [UInt8] {
    var ranges = ranges(in: bytes, isCutAfter: isCutAfter)
    if isCutBefore, let end = endOfRest(in: bytes) {
      ranges.removeAll { $0.upperBound <= end }
      let first = ranges.first.map { $0.lowerBound <= end ? ranges.removeFirst().upperBound : end }
      ranges.insert(0..<(first ?? end), at: 0)
    }
    guard !ranges.isEmpty else { return bytes }
    var (masked, done) = ([UInt8](), 0)
    for range in ranges {
      masked += bytes[done..<range.lowerBound]
      masked += Array(Self.text.utf8)
      done = range.upperBound
    }
    return masked + bytes[done...]
  }

  package func masked(_ text: String) -> String {
    guard !forms.isEmpty else { return text }
    let bytes = Array(text.utf8)
    let masked = masked(bytes)
    return masked.count == bytes.count && masked == bytes
      ? text : String(decoding: masked, as: UTF8.self)
  }

  /// As long as before, for a text whose columns count: each byte of a value is an asterisk.
  func filled(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    for range in ranges(in: bytes, isCutAfter: false) {
      for place in range where bytes[place] != UInt8(ascii: "\n") {
        bytes[place] = UInt8(ascii: "*")
      }
    }
    return bytes
  }

  // MARK: - Forms

  /// The value, its lines, and what it becomes in Base64. What escapes make of these is found by
  /// comparing.
  private static func forms(of value: String) -> [String] {
    let whole = value.trimmingCharacters(in: .whitespacesAndNewlines)
    guard whole.count >= shortestMatch else { return [] }
    let lines = whole.split(whereSeparator: \.isNewline)
      .map { $0.trimmingCharacters(in: .whitespaces) }.filter { $0.count >= shortestLineLength }
    return [whole] + lines + (0..<3).flatMap { base64(of: whole, after: $0) }
  }

  /// The characters that a value becomes in both alphabets of Base64, whatever stands before and
  /// after it, where it begins at a byte whose place is `shift` in its group of three.
  private static func base64(of value: String, after shift: Int) -> [String] {
    let bytes = Data(repeating: 0, count: shift) + Data(value.utf8)
    // Of the first and the last character some bits may be another byte's.
    let characters = Array(bytes.base64EncodedString())[[0, 2, 3][shift]..<(bytes.count * 8 / 6)]
    let text = String(characters)
    return [text, text.replacing("+", with: "-").replacing("/", with: "_")]
  }

  private static func beginnings(of byte: UInt8) -> [UInt8] {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: [byte]
    case 0x20: [byte, UInt8(ascii: "+")] + Escape.openers
    default: Array(Set([byte] + Escape.openers))
    }
  }

  // MARK: - Matches

  /// In order, none touching another.
  private func ranges(in bytes: [UInt8], isCutAfter: Bool) -> [Range<Int>] {
    guard !forms.isEmpty else { return [] }
    return bytes.withUnsafeBufferPointer { text in
      var ranges: [Range<Int>] = []
      for start in text.indices.dropLast() {
        guard let end = end(in: text, at: start, isCutAfter: isCutAfter) else { continue }
        if let last = ranges.last, start <= last.upperBound {
          ranges[ranges.count - 1] = last.lowerBound..<max(last.upperBound, end)
        } else {
          ranges.append(start..<end)
        }
      }
      return ranges
    }
  }

  /// Where the longest form ends that begins at a place.
  private func end(in text: UnsafeBufferPointer<UInt8>, at start: Int, isCutAfter: Bool) -> Int? {
    let (first, second) = (text[start], text[start + 1])
    // Most places are the beginning of none, which two bytes tell.
    let hasEscape = Self.mayBeEscape(first) || Self.mayBeEscape(second)
    var longest: Int?
    for candidate in candidates[Int(first)] where hasEscape || candidate.second == second {
      let form = forms[candidate.form][...]
      let end = end(of: form, in: text, at: start, isCutAfter: isCutAfter)
      longest = max(longest ?? 0, end ?? 0)
    }
    return longest == 0 ? nil : longest
  }

  private static func mayBeEscape(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "%") || byte == UInt8(ascii: "\\") || byte == UInt8(ascii: "&")
      || byte == UInt8(ascii: "+")
  }

  /// Where the rest of a value ends that began before the text.
  private func endOfRest(in bytes: [UInt8]) -> Int? {
    bytes.withUnsafeBufferPointer { text in
      forms.flatMap { form in
        form.indices.dropFirst().dropLast(Self.shortestMatch - 1).compactMap {
          end(of: form[$0...], in: text, at: 0, isCutAfter: false)
        }
      }.max()
    }
  }

  /// Where a form ends that begins at a place, escaped or not; or where it is cut, after enough of it
  /// to give it away.
  private func end(
    of form: ArraySlice<UInt8>, in text: UnsafeBufferPointer<UInt8>, at start: Int,
    isCutAfter: Bool
  ) -> Int? {
    if text[start...].starts(with: form) { return start + form.count }
    var (place, rest) = (start, form)
    while let wanted = rest.first {
      let isCut = place == text.count ? isCutAfter : text[place...].starts(with: Self.ellipsis)
      if isCut, form.count - rest.count >= Self.shortestMatch { return place }
      guard place < text.count else { return nil }
      if let escape = Escape(in: text, at: place), rest.starts(with: escape.bytes) {
        place = escape.end
        rest = rest.dropFirst(escape.bytes.count)
      } else if text[place] == wanted || text[place] == UInt8(ascii: "+") && wanted == 0x20 {
        place += 1
        rest = rest.dropFirst()
      } else {
        return nil
      }
    }
    return place
  }
}
