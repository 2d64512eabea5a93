/// Reads JSON as people write it: with `//` and `/* */` comments and trailing commas.
package enum JSONParser {
  /// How deep arrays and objects may be nested.
  package static let depthLimit = 200
  /// How many mistakes of one file are reported; what follows is rarely about anything else.
  package static let mistakeLimit = 25

  /// Reads one file.
  ///
  /// Every mistake is reported, then reading goes on as if it had been fixed. Equal keys are kept.
  ///
  /// - Returns: the value, where its structure can be trusted: `nil` where the brackets are so
  ///   broken that what belongs where is a guess. Single values that can't be read are `.invalid`.
  package static func parse(_ file: SourceFile) -> (node: JSONNode?, diagnostics: [Diagnostic]) {
    file.bytes.withUnsafeBufferPointer { bytes in
      var scanner = JSONScanner(file: file, bytes: bytes)
      let node = scanner.file()
      return (node, scanner.diagnostics)
    }
  }
}
