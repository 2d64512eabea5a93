import SourceText

/// A capture in the HAR 1.2 format, as Charles, Proxyman, browsers and mitmproxy export it.
///
/// Only what decides which entry answers is read; bodies are decoded when they are asked for.
package final class CapturedArchive: Sendable {
  let file: SourceFile
  /// By `startedDateTime`; of equal ones in the file's order.
  package let entries: [CapturedEntry]
  private let places: [CapturedEntry.Key: [Int]]

  /// - Returns: `nil` where the file means to be something else; or has an error, which is reported.
  init?(ifMeantBy file: SourceFile, _ diagnostics: DiagnosticCollector) {
    self.file = file
    do throws(ByteScanner.Fault) {
      guard let entries = try ArchiveReader(file: file).entries() else { return nil }
      self.entries = entries
    } catch {
      let range = min(error.offset, file.bytes.count)..<min(error.offset + 1, file.bytes.count)
      diagnostics.error(
        "This capture can't be read. \(error.message)",
        at: SourceLocation(file: file, range: range))
      return nil
    }
    places = Dictionary(grouping: entries.indices) { [entries] in entries[$0].key }
  }

  /// The entries for a method and URL, and where those have several bodies, for this body.
  func candidates(method: String, url: String, body: [UInt8]?) -> [Int] {
    let all = places[CapturedEntry.Key(method: method, url: url)] ?? []
    guard Set(all.map { entries[$0].requestBody ?? [] }).count > 1 else { return all }
    return all.filter { (entries[$0].requestBody ?? []) == (body ?? []) }
  }

  func response(at index: Int) -> StubResponse {
    let entry = entries[index]
    return StubResponse(
      status: entry.status, headers: entry.headers,
      body: entry.content.map { .captured(CapturedBody(archive: self, content: $0)) } ?? .none)
  }
}

/// A captured request with its response.
package struct CapturedEntry: Sendable {
  struct Key: Hashable, Sendable {
    var method: String
    var url: String
  }

  struct Content: Sendable {
    /// The text between its quotes in the file.
    var range: Range<Int>
    var isBase64: Bool
  }

  package var method: String
  package var url: String
  var startedDateTime: String
  var requestBody: [UInt8]?
  package var status: Int
  var headers: [(name: String, value: String)]
  var content: Content?

  var key: Key { Key(method: method, url: url) }
}

/// The body of a captured response.
package struct CapturedBody: Sendable {
  let archive: CapturedArchive
  let content: CapturedEntry.Content

  /// - Returns: `nil` where it says to be base64 and is not.
  package func bytes() -> [UInt8]? {
    let text = archive.file.bytes.withUnsafeBufferPointer {
      JSONStringText.decoded($0, content.range)
    }
    return content.isBase64 ? Base64.bytes(text) : Array(text.utf8)
  }
}
