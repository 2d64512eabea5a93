/// A span of a source file.
package struct SourceLocation: Sendable {
  package var file: SourceFile
  /// UTF-8 offsets.
  package var range: Range<Int>

  package init(file: SourceFile, range: Range<Int>) {
    self.file = file
    self.range = range
  }

  package var path: String { file.path }
  package var position: SourcePosition { file.position(at: range.lowerBound) }
  /// `path:line:column`
  package var description: String { "\(path):\(position.line):\(position.column)" }
}
