import Foundation
import Testing

/// An article of the documentation, whose examples are tried.
struct Article: CustomTestStringConvertible {
  /// A code block.
  struct Block {
    /// As `swift`; empty where none is written.
    var language: String
    var text: String
    /// Where its text begins, counted from 1.
    var line: Int
  }

  /// In the package.
  let path: String
  let blocks: [Block]

  var testDescription: String { path }

  init(_ path: String) throws {
    self.path = path
    let text = try String(
      contentsOf: BuiltProgram.packageFolder.appending(path: path), encoding: .utf8)
    var blocks: [Block] = []
    var open: Block?
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      if line.hasPrefix("```") {
        if let block = open { blocks.append(block) }
        open =
          open == nil ? Block(language: String(line.dropFirst(3)), text: "", line: index + 2) : nil
      } else {
        open?.text += line + "\n"
      }
    }
    self.blocks = blocks
  }

  /// The README and every article of a module.
  static var all: [Article] {
    get throws {
      let sources = BuiltProgram.packageFolder.appending(path: "Sources").path
      let articles = try FileManager.default.subpathsOfDirectory(atPath: sources)
        .filter { $0.hasSuffix(".md") }.sorted().map { "Sources/" + $0 }
      return try (["README.md", ".github/CONTRIBUTING.md"] + articles).map(Article.init)
    }
  }

  /// The blocks of a language, in order, without those that are whole files, named in their first lines.
  func blocks(_ language: String, skippingFiles: Bool) -> [Block] {
    blocks.filter { $0.language == language && !(skippingFiles && $0.text.hasPrefix("// ")) }
  }

  /// The text of the blocks of a language, in order.
  func blocks(_ language: String) -> [String] {
    blocks.filter { $0.language == language }.map(\.text)
  }

  /// Writes the scenarios into a folder, each under the name in its first line.
  ///
  /// - Returns: the files' names.
  func writeScenarios(to folder: URL) throws -> [String] {
    try blocks("jsonc").compactMap { block in
      guard block.hasPrefix("// ") else { return nil }
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
