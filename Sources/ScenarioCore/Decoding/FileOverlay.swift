import SourceText

/// A file system in which some files have another text: for trying an edit before it is written.
package struct FileOverlay: FileAccess {
  private let base: any FileAccess
  private let texts: [String: SourceFile]

  package init(_ base: any FileAccess, texts: [String: SourceFile]) {
    self.base = base
    self.texts = texts
  }

  package func bytes(ofFile path: String) throws -> [UInt8] {
    try texts[path]?.bytes ?? base.bytes(ofFile: path)
  }

  package func kind(of path: String) -> FileKind? { base.kind(of: path) }
  package func resolved(_ path: String) -> String? { base.resolved(path) }
  package func names(inFolder path: String) -> [String] { base.names(inFolder: path) }
}
