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
  ///
  /// - Parameter bodyFiles: `nil` where nobody asks about them.
  /// - Throws: what reading the file throws.
  package mutating func add(
    _ file: StubFile, bodyFiles: (any BodyFiles)? = nil, _ diagnostics: DiagnosticCollector
  ) throws {
    try file.withBytes { add(file, $0, bodyFiles, diagnostics) }
  }

  /// The same for a file that is in memory.
  package mutating func add(
    _ file: SourceFile, bodyFiles: (any BodyFiles)? = nil, _ diagnostics: DiagnosticCollector
  ) {
    file.bytes.withUnsafeBufferPointer { add(StubFile(file), $0, bodyFiles, diagnostics) }
  }

  private mutating func add(
    _ file: StubFile, _ bytes: UnsafeBufferPointer<UInt8>, _ bodyFiles: (any BodyFiles)?,
    _ diagnostics: DiagnosticCollector
  ) {
    if HAREntry.areIn(bytes) { return add(capture: file, bytes, diagnostics) }
    let file = SourceFile(path: file.path, bytes: Array(bytes))
    let (root, mistakes) = JSONParser.parse(file)
    diagnostics.report(mistakes)
    guard let root else { return }
    guard Self.looksLikeMappings(root) else {
      if !root.isInvalid { Self.reportStranger(file, diagnostics) }
      return
    }
    stubs += MappingDecoder(diagnostics: diagnostics, bodyFiles: bodyFiles).stubs(root)
  }

  private mutating func add(
    capture file: StubFile, _ bytes: UnsafeBufferPointer<UInt8>,
    _ diagnostics: DiagnosticCollector
  ) {
    func location(_ offset: Int) -> SourceLocation {
      let end = min(offset + 1, bytes.count)
      let range = min(offset, end)..<end
      guard bytes.count > Self.shownBytes else {
        return SourceLocation(
          file: SourceFile(path: file.path, bytes: Array(bytes)), range: range)
      }
      let piece = SourceFile(path: file.path, piece: range, of: bytes)
      return SourceLocation(file: piece, range: piece.bytes.indices)
    }
    do throws(HARFault) {
      let capture = try HARCapture(file, bytes: bytes)
      captures.append(capture)
      if capture.count == 0 {
        diagnostics.warning(Self.emptiness(of: capture), at: location(0))
      }
    } catch {
      diagnostics.error(error.message, at: location(error.offset))
    }
  }

  /// Of a larger capture a message shows the one character that it is about: to show a line takes the whole
  /// file, of which the values of credentials are hidden.
  private static let shownBytes = 4 << 20

  private static func emptiness(of capture: HARCapture) -> String {
    let count = capture.unansweredCount
    let reason =
      count == 0
      ? "it has no entries"
      : "none of its \(count) entries has a method, a URL and a response with a status of 200 or more"
    return "The capture can't answer any request: \(reason). Record it again, or remove it from "
      + "\"stubs\"."
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

/// A file of stubs, whose bytes are read when they are needed: a capture can be larger than what an app
/// should hold.
package struct StubFile: Sendable {
  /// Hands the bytes over for as long as a call takes.
  package typealias Reading =
    @Sendable (_ body: (UnsafeBufferPointer<UInt8>) -> Void) throws -> Void

  /// The path as messages show it.
  package let path: String
  private let read: Reading

  package init(path: String, read: @escaping Reading) {
    self.path = path
    self.read = read
  }

  /// A file that stays in memory.
  package init(_ file: SourceFile) {
    self.init(path: file.path) { file.bytes.withUnsafeBufferPointer($0) }
  }

  /// - Returns: `nil` where the file was read without an error, and without its bytes.
  func withBytes<R>(_ body: (UnsafeBufferPointer<UInt8>) -> R) throws -> R? {
    var result: R?
    try read { result = body($0) }
    return result
  }
}
