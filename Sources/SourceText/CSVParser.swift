/// A field of a CSV file with its place, quotes included.
package struct CSVField: Sendable {
  package var text: String
  package var location: SourceLocation
}

/// A record of a CSV file.
package struct CSVRecord: Sendable {
  /// Never empty.
  package var fields: [CSVField]
  package var location: SourceLocation

  /// What keeps a row from being one of a table with this header; `nil` where nothing does.
  package func problem(below header: CSVRecord) -> Diagnostic? {
    guard fields.count != header.fields.count else { return nil }
    return Diagnostic(
      "The row has \(fields.count) field\(fields.count == 1 ? "" : "s"), the header \(header.fields.count)."
        + " A field that contains a comma is put in quotes.", at: location,
      notes: [.init("The header is here.", at: header.location)])
  }
}

/// The records of a CSV file, each read when it is asked for: there may be very many.
package struct CSVRecords: RandomAccessCollection, Sendable {
  private let file: SourceFile
  /// Where the records begin, as UTF-8 offsets.
  private let starts: [Int]

  fileprivate init(_ file: SourceFile, startingAt starts: [Int]) {
    self.file = file
    self.starts = starts
  }

  package var startIndex: Int { 0 }
  package var endIndex: Int { starts.count }

  package subscript(index: Int) -> CSVRecord {
    var parser = CSVParser(file: file, at: starts[index])
    return parser.record()
  }
}

/// Reads comma-separated values by RFC 4180; lines may end with LF alone, and blank ones are skipped.
package struct CSVParser {
  private let file: SourceFile
  private var at: Int
  private var diagnostics: [Diagnostic] = []

  /// Reads one file; the header is a record like the others.
  package static func parse(
    _ file: SourceFile
  ) -> (records: CSVRecords, diagnostics: [Diagnostic]) {
    var parser = CSVParser(
      file: file, at: file.bytes.starts(with: SourceFile.byteOrderMark) ? 3 : 0)
    guard String(validating: file.bytes, as: UTF8.self) != nil else {
      return (
        CSVRecords(file, startingAt: []),
        [Diagnostic("The file isn't valid UTF-8. Save it as UTF-8.", path: file.path)]
      )
    }
    var starts: [Int] = []
    while parser.at < file.bytes.count {
      let record = parser.record()
      if record.location.range.isEmpty, record.fields.count == 1 { continue }
      starts.append(record.location.range.lowerBound)
    }
    return (CSVRecords(file, startingAt: starts), parser.diagnostics)
  }

  fileprivate init(file: SourceFile, at offset: Int) {
    self.file = file
    at = offset
  }

  fileprivate mutating func record() -> CSVRecord {
    let start = at
    var fields = [field()]
    while at < file.bytes.count, file.bytes[at] == UInt8(ascii: ",") {
      at += 1
      fields.append(field())
    }
    let location = location(start..<at)
    if at < file.bytes.count, file.bytes[at] == UInt8(ascii: "\r") { at += 1 }
    if at < file.bytes.count, file.bytes[at] == UInt8(ascii: "\n") { at += 1 }
    return CSVRecord(fields: fields, location: location)
  }

  private mutating func field() -> CSVField {
    if at < file.bytes.count, file.bytes[at] == UInt8(ascii: "\"") { return quotedField() }
    let start = at
    while at < file.bytes.count, !isEnd(file.bytes[at]) {
      if file.bytes[at] == UInt8(ascii: "\"") {
        report(
          "A quote stands in a field that does not begin with one."
            + " Put the field in quotes, and write each quote in it twice.", at..<at + 1)
        while at < file.bytes.count, !isEnd(file.bytes[at]) { at += 1 }
        break
      }
      at += 1
    }
    return CSVField(text: file.text(in: start..<at), location: location(start..<at))
  }

  private mutating func quotedField() -> CSVField {
    let start = at
    var content: [UInt8] = []
    at += 1
    while at < file.bytes.count {
      if file.bytes[at] != UInt8(ascii: "\"") {
        content.append(file.bytes[at])
        at += 1
      } else if at + 1 < file.bytes.count, file.bytes[at + 1] == UInt8(ascii: "\"") {
        content.append(UInt8(ascii: "\""))
        at += 2
      } else {
        at += 1
        skipAfterQuote()
        let text = String(decoding: content, as: UTF8.self)
        return CSVField(text: text, location: location(start..<at))
      }
    }
    report("The quoted field is never closed. Write '\"' at its end.", start..<start + 1)
    return CSVField(text: "", location: location(start..<at))
  }

  private mutating func skipAfterQuote() {
    let start = at
    while at < file.bytes.count, !isEnd(file.bytes[at]) { at += 1 }
    guard at > start else { return }
    report(
      "Text follows the closing quote of a field. A quote inside a field is written twice.",
      start..<at)
  }

  private func isEnd(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: ",") || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
  }

  private func location(_ range: Range<Int>) -> SourceLocation {
    SourceLocation(file: file, range: range)
  }

  private mutating func report(_ message: String, _ range: Range<Int>) {
    diagnostics.append(Diagnostic(message, at: location(range)))
  }
}
