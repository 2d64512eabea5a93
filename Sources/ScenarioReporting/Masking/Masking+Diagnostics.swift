import ScenarioCore
import SourceText

extension Masking {
  /// A diagnostic whose source lines show no secret; what is shown is as long as what it hides, so
  /// that columns and carets stay true.
  package func masked(_ diagnostic: Diagnostic) -> Diagnostic {
    let locations = [diagnostic.location].compactMap(\.self) + diagnostic.notes.map(\.location)
    let values = locations.map { shown($0.file).values }
    var masked = diagnostic
    masked.message = self.masked(diagnostic.message, hiding: values)
    masked.path = self.masked(diagnostic.path)
    masked.suggestions = diagnostic.suggestions.map { self.masked($0, hiding: values) }
    masked.location = diagnostic.location.map(self.masked)
    masked.notes = diagnostic.notes.map { note in
      Diagnostic.Note(self.masked(note.message, hiding: values), at: self.masked(note.location))
    }
    return masked
  }

  func masked(_ location: SourceLocation) -> SourceLocation {
    SourceLocation(file: shown(location.file).file, range: location.range)
  }

  private func shown(_ file: SourceFile) -> MaskedFile {
    files.shown(file) { file in
      let path = masked(file.path)
      let ranges = file.bytes.withUnsafeBufferPointer { self.ranges(in: $0) }
      guard !ranges.isEmpty || path != file.path else { return MaskedFile(file: file) }
      var bytes = file.bytes
      for range in ranges { Self.fill(range, of: &bytes) }
      let values = Set(ranges.map { file.bytes[$0] }).flatMap(SecretForms.quoted)
      return MaskedFile(
        file: SourceFile(path: path, bytes: bytes), values: SecretMatcher(values))
    }
  }

  /// A character of the same number of bytes for each; line breaks stay.
  private static func fill(_ range: Range<Int>, of bytes: inout [UInt8]) {
    let fillers = [1: "*", 2: "×", 3: "•", 4: "🞄"].mapValues { Array($0.utf8) }
    var filled: [UInt8] = []
    for scalar in String(decoding: bytes[range], as: UTF8.self).unicodeScalars {
      let filler = fillers[scalar.utf8.count] ?? []
      filled += scalar == "\n" || scalar == "\r" ? Array(String(scalar).utf8) : filler
    }
    // Invalid UTF-8 would have grown.
    guard filled.count == range.count else {
      for place in range where bytes[place] != UInt8(ascii: "\n") {
        bytes[place] = UInt8(ascii: "*")
      }
      return
    }
    bytes.replaceSubrange(range, with: filled)
  }
}
