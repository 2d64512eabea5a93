import Foundation
import ScenarioCore
import ScenarioReporting
import ScenarioRunner
import SourceText

/// What was done and not saved yet, as the commands that do it again: a file beside the scenario, written
/// anew after each command, so that whatever ends the session loses nothing.
struct PlayDraft {
  /// `FILE.play`
  let path: String
  /// Of an earlier session, until somebody decides about them.
  private(set) var earlier: [String]?

  init(of file: String) {
    path = file + ".play"
    let folder = FilePath.folder(of: path)
    let files = LocalFiles(inside: FileScope(project: folder.isEmpty ? "." : folder))
    let text = (try? files.bytes(ofFile: path)).map { String(decoding: $0, as: UTF8.self) }
    earlier = text?.split(separator: "\n").map(String.init)
  }

  /// Where those of an earlier session go that nobody decided about.
  var asidePath: String { path + ".old" }

  /// Keeps these commands; removes the file where there are none.
  ///
  /// - Returns: whether those of an earlier session were put aside.
  /// - Throws: `ReportFailure`.
  mutating func keep(_ lines: [String]) throws -> Bool {
    let isPutAside = earlier != nil && !lines.isEmpty && rename(path, asidePath) == 0
    if isPutAside { earlier = nil }
    // Still theirs.
    guard earlier == nil else { return false }
    if lines.isEmpty {
      unlink(path)
    } else {
      try ReportFile.replace(path, with: lines.map { $0 + "\n" }.joined().utf8)
    }
    return isPutAside
  }

  /// The commands of the earlier session, which are this one's from now on.
  mutating func take() -> [String] {
    defer { earlier = nil }
    return earlier ?? []
  }
}
