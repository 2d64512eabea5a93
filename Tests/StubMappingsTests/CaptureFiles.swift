import Foundation
import RequestMatching
import SourceText
import Testing

@testable import StubMappings

enum CaptureFiles {
  static func bytes(_ path: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: path)))
  }

  /// A capture that is kept beside these tests.
  static func own(_ name: String) -> String { folder + "/Captures/" + name }

  /// Captures that stand beside the repository, where there are any.
  static let sharedFolder = folder + "/../../../shared/data"

  static func shared(_ name: String) -> String { sharedFolder + "/" + name }

  static var hasShared: Bool {
    FileManager.default.fileExists(atPath: shared("redirect.har"))
  }

  /// All that are kept in the repository.
  static var all: [String] {
    files(in: folder + "/Captures") + files(in: folder + "/../../Fixtures")
  }

  /// A folder of somebody's own captures.
  static var givenFolder: String? { ProcessInfo.processInfo.environment["CAPTURES"] }

  static func files(in folder: String) -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.filter { $0.hasSuffix(".har") }.sorted().map { folder + "/" + $0 }
  }

  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().path
}

/// A capture's stubs.
func capture(_ bytes: [UInt8]) throws -> StubSet {
  var set = StubSet()
  let diagnostics = DiagnosticCollector()
  set.add(SourceFile(path: "x.har", bytes: bytes), bodyFiles: OneBodyFile(), diagnostics)
  try #require(diagnostics.diagnostics.isEmpty, "\(diagnostics.diagnostics.map(\.message))")
  return set
}

/// A capture of these entries, as short as the standard's readers take it.
func captureText(_ entries: String...) -> String {
  #"{"log": {"entries": [\#(entries.joined(separator: ","))]}}"#
}

func entry(
  _ url: String, method: String = "GET", body: String? = nil, started: String? = nil,
  status: Int = 200, headers: String = "[]", content: String = "{}", more: String = ""
) -> String {
  let post = body.map { #", "postData": {"mimeType": "text/plain", "text": "\#($0)"}"# } ?? ""
  let time = started.map { #""startedDateTime": "\#($0)", "# } ?? ""
  return #"""
    {\#(time)"request": {"method": "\#(method)", "url": "\#(url)"\#(post)},
     "response": {"status": \#(status), "headers": \#(headers), "content": \#(content)\#(more)}}
    """#
}

extension StubReplay {
  func message(_ text: String) throws -> StubMessage? {
    guard case .message(let message) = try answer(to: request(text))?.outcome else { return nil }
    return message
  }

  func body(_ text: String) throws -> [UInt8]? {
    guard case .bytes(let bytes) = try message(text)?.body else { return nil }
    return bytes
  }
}
