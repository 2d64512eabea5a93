/// The marks by which CI servers know a command in the output of a job.
///
/// GitHub: a line that begins with `::`, blanks aside, and `##[` anywhere in a line
/// (`ActionCommand.cs` of actions/runner); Azure Pipelines: `##vso[` anywhere, `##[` at the beginning
/// (Microsoft, "Logging commands"); TeamCity: `##teamcity[` ("Service messages"). GitLab's section marks
/// begin with an escape character, which is never written as it is.
package enum CommandMarkers {
  /// The text with the first character of each mark as a visible escape: `\u{3A}:error::`.
  ///
  /// A text can come anywhere in a line: at its beginning `::` is a mark, and so is a `#` that may
  /// follow another one; at its end a `##` that a `[` may follow.
  package static func defused(_ text: String) -> String {
    let opening = openingLength(of: text)
    guard
      text.utf8.contains(UInt8(ascii: "#")) || text.utf8.dropFirst(opening).starts(with: "::".utf8)
    else { return text }
    let places = places(in: Array(text.utf8), opening: opening)
    guard !places.isEmpty else { return text }
    var result: [UInt8] = []
    for (place, byte) in text.utf8.enumerated() {
      if places.contains(place) {
        result += Array((byte == UInt8(ascii: "#") ? #"\u{23}"# : #"\u{3A}"#).utf8)
      } else {
        result.append(byte)
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  private static func places(in bytes: [UInt8], opening: Int) -> Set<Int> {
    var places: Set<Int> = []
    if bytes[opening...].starts(with: "::".utf8) { places.insert(opening) }
    for place in bytes.indices where bytes[place] == UInt8(ascii: "#") {
      let rest = bytes[(place + 1)...].drop(while: isLetter)
      let isFirst = place == 0 && rest.first == UInt8(ascii: "[")
      if isFirst || completesMark(bytes, at: place, isWhole: false) { places.insert(place) }
    }
    return places
  }

  /// Whether a character is the second `#` of a mark.
  ///
  /// - Parameter isWhole: whether the bytes end with the line; otherwise something may follow.
  static func completesMark(_ bytes: [UInt8], at place: Int, isWhole: Bool = true) -> Bool {
    guard place > 0, place < bytes.count else { return false }
    guard bytes[place - 1...place].elementsEqual("##".utf8) else { return false }
    let rest = bytes[(place + 1)...].drop(while: isLetter)
    return rest.first == UInt8(ascii: "[") || rest.isEmpty && !isWhole
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (0x61...0x7A).contains(byte | 0x20)
  }

  /// The length of the blanks at the beginning, of any script.
  private static func openingLength(of text: String) -> Int {
    text.unicodeScalars.prefix { $0.properties.isWhitespace }.reduce(0) { $0 + $1.utf8.count }
  }
}
