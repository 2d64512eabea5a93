import Foundation

/// An article of the documentation, whose examples are tried.
struct Article {
  private let text: String

  /// - Parameter path: in the package.
  init(_ path: String) throws {
    text = try String(
      contentsOf: BuiltProgram.packageFolder.appending(path: path), encoding: .utf8)
  }

  /// The code blocks of a language, in order.
  func blocks(_ language: String) -> [String] {
    text.components(separatedBy: "```\(language)\n").dropFirst()
      .compactMap { $0.components(separatedBy: "```").first }
  }

  /// Writes the scenarios into a folder, each under the name in its first line.
  ///
  /// - Returns: the files' names.
  func writeScenarios(to folder: URL) throws -> [String] {
    try blocks("jsonc").map { block in
      let name = String(block.prefix { $0 != "\n" }.dropFirst("// ".count))
      try Self.write(block, to: folder.appending(path: name))
      return name
    }
  }

  static func write(_ text: String, to file: URL) throws {
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
  }
}
