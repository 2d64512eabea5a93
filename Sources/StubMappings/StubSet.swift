import SourceText

/// The stubs of one launch, from all of its files.
package struct StubSet: Sendable {
  /// In the order in which they are written, file by file.
  package private(set) var stubs: [Stub] = []
  package private(set) var captures: [HARCapture] = []

  package init() {}

  package init(stubs: [Stub], captures: [HARCapture] = []) {
    self.stubs = stubs
    self.captures = captures
  }

  /// Adds the stubs of one file; what is wrong in it is reported.
  ///
  /// What kind of file it is, its content tells, whatever its name is.
  package mutating func add(
    _ file: SourceFile, bodyFiles: any BodyFiles, _ diagnostics: DiagnosticCollector
  ) {
    if HARCapture.isCapture(file) { return add(capture: file, diagnostics) }
    let (root, mistakes) = JSONParser.parse(file)
    diagnostics.report(mistakes)
    guard let root else { return }
    guard Self.looksLikeMappings(root) else {
      if !root.isInvalid { Self.reportStranger(file, diagnostics) }
      return
    }
    stubs += MappingDecoder(diagnostics: diagnostics, bodyFiles: bodyFiles).stubs(root)
  }

  private mutating func add(capture file: SourceFile, _ diagnostics: DiagnosticCollector) {
    do throws(HARFault) {
      let capture = try HARCapture(file)
      captures.append(capture)
      if capture.count == 0 { Self.reportEmptiness(of: capture, file, diagnostics) }
    } catch {
      let end = min(error.offset + 1, file.bytes.count)
      diagnostics.error(
        error.message, at: SourceLocation(file: file, range: min(error.offset, end)..<end))
    }
  }

  private static func reportEmptiness(
    of capture: HARCapture, _ file: SourceFile, _ diagnostics: DiagnosticCollector
  ) {
    let count = capture.unansweredCount
    let reason =
      count == 0
      ? "it has no entries"
      : "none of its \(count) entries has a method, a URL and a response with a status of 200 or more"
    diagnostics.warning(
      "The capture can't answer any request: \(reason). Record it again, or remove it from "
        + "\"stubs\".",
      at: SourceLocation(file: file, range: 0..<min(1, file.bytes.count)))
  }

  private static func looksLikeMappings(_ root: JSONNode) -> Bool {
    let keys = StubShapes.file.keys + StubShapes.mapping.keys
    return (root.objectValue ?? []).contains { member in
      member.key != "$schema" && member.key != "name" && keys.contains { $0.name == member.key }
    }
  }

  private static func reportStranger(_ file: SourceFile, _ diagnostics: DiagnosticCollector) {
    diagnostics.report(
      Diagnostic(
        "\"\(file.path)\" has neither stub mappings (\"mappings\", or one mapping with \"request\" "
          + "and \"response\") nor a HAR capture (\"log\"). If it is data for the app's own fake "
          + "objects, name it under \"fixtures\".",
        path: file.path))
  }
}
