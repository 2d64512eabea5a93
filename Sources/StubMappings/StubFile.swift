import SourceText

/// A file of network responses, told by its content.
package enum StubFile: Sendable {
  case mappings([StubMapping])
  case archive(CapturedArchive)
}

extension StubFile {
  /// Reads a stub file.
  ///
  /// - Parameter bodyFileProblem: what is wrong with the name of a body file; `nil`: nothing is.
  /// - Returns: no stub file where there is an error among the diagnostics.
  package static func decode(
    _ file: SourceFile, bodyFileProblem: (String) -> String? = { _ in nil }
  ) -> (stubs: StubFile?, diagnostics: [Diagnostic]) {
    let diagnostics = DiagnosticCollector()
    let stubs = withoutActuallyEscaping(bodyFileProblem) {
      StubFileDecoder(file: file, diagnostics: diagnostics, bodyFileProblem: $0).stubs()
    }
    return (diagnostics.hasErrors ? nil : stubs, diagnostics.diagnostics)
  }
}

private struct StubFileDecoder {
  let file: SourceFile
  let diagnostics: DiagnosticCollector
  let bodyFileProblem: (String) -> String?

  func stubs() -> StubFile? {
    if let archive = CapturedArchive(ifMeantBy: file, diagnostics) { return .archive(archive) }
    guard !diagnostics.hasErrors else { return nil }
    let (node, problems) = JSONParser.parse(file)
    diagnostics.report(problems)
    guard let node, problems.isEmpty else { return nil }
    guard StubMappingDecoder.isMeant(by: node) else {
      diagnostics.error(
        "This is neither stub mappings (\"mappings\", or \"request\" and \"response\") nor a HAR "
          + "capture (\"log\"). Data for the app's own fakes belongs under \"fixtures\".",
        at: ObjectReader.opening(of: node))
      return nil
    }
    let decoder = StubMappingDecoder(diagnostics: diagnostics, bodyFileProblem: bodyFileProblem)
    return .mappings(decoder.mappings(node))
  }
}
