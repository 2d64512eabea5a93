import Foundation
import HarnessProtocol
import ScenarioCore

/// The folder that is kept of a scenario: what happened, what it left, and what runs it again.
struct KeptFolder {
  let parent: String
  let name: String
  let redaction: Redaction

  private var path: String { parent + "/" + name }

  /// - Returns: the folder.
  /// - Throws: `SystemError`, where it could not be written.
  func keep(
    _ folders: ScenarioFolders, output: AppOutput, trace: Trace = Trace(), of project: KeptProject
  ) throws(SystemError) -> String {
    try? FileManager.default.removeItem(atPath: path)
    try Self.makeFolder(path)
    try copy(folder: folders.shared, to: path + "/shared")
    try write(output.standardOutput, to: path + "/stdout.log")
    try write(output.standardError, to: path + "/stderr.log")
    try RedactedCopy.write(redaction.trace(trace, project.reference), to: path + "/trace.json")
    try project.keep(in: path)
    return path
  }

  /// With those that it stands in.
  static func makeFolder(_ path: String) throws(SystemError) {
    guard mkdir(path, 0o755) != 0, errno != EEXIST else { return }
    let code = errno
    let parent = (path as NSString).deletingLastPathComponent
    guard code == ENOENT, parent != path, !parent.isEmpty else {
      throw SystemError("create the folder \(path)", code: code)
    }
    try makeFolder(parent)
    guard mkdir(path, 0o755) == 0 || errno == EEXIST else {
      throw SystemError("create the folder \(path)")
    }
  }

  /// Files and folders alone: an app may have left links, pipes or sockets, which can lead anywhere.
  private func copy(folder: String, to target: String) throws(SystemError) {
    try Self.makeFolder(target)
    guard let names = FolderContents.names(in: folder)?.sorted() else {
      throw SystemError("list \(folder)")
    }
    for (name, keptName) in zip(names, keptNames(of: names)) {
      let (source, copy) = (folder + "/" + name, target + "/" + keptName)
      var status = stat()
      guard lstat(source, &status) == 0 else { continue }
      switch status.st_mode & S_IFMT {
      case S_IFDIR: try self.copy(folder: source, to: copy)
      case S_IFREG: try RedactedCopy(redact: redaction.bytes).copy(source, to: copy)
      default: continue
      }
    }
  }

  /// The names without secrets, each still another one.
  private func keptNames(of names: [String]) -> [String] {
    var taken = Set(names)
    return names.map { name in
      let shown = String(decoding: redaction.bytes(Array(name.utf8)), as: UTF8.self)
      guard shown != name else { return name }
      // Services that store the files of a job refuse asterisks.
      let wanted = shown.replacing(Credentials.mask, with: "masked") as NSString
      var (keptName, number) = (wanted as String, 1)
      while !taken.insert(keptName).inserted {
        number += 1
        keptName = "\(wanted.deletingPathExtension)-\(number)"
        if !wanted.pathExtension.isEmpty { keptName += "." + wanted.pathExtension }
      }
      return keptName
    }
  }

  private func write(_ text: CapturedText, to path: String) throws(SystemError) {
    let text = redaction.output(text)
    let note = text.omittedBytes > 0 ? "\n… \(text.omittedBytes) bytes left out …\n" : ""
    try RedactedCopy.write(text.head + Array(note.utf8) + text.tail, to: path)
  }
}

/// Copies files without what must not be kept, whole lines at a time, in bounded memory.
struct RedactedCopy {
  /// A line that is longer is cut.
  private static let lineLimitBytes = 64 * 1024 * 1024
  private static let chunkBytes = 1024 * 1024

  let redact: ([UInt8]) -> [UInt8]

  func copy(_ source: String, to target: String) throws(SystemError) {
    let input = open(source, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard input >= 0 else { throw SystemError("read \(source)") }
    defer { close(input) }
    let output = try Self.create(target)
    defer { close(output) }
    var pending: [UInt8] = []
    while true {
      let start = pending.count
      pending += [UInt8](repeating: 0, count: Self.chunkBytes)
      let count = pending.withUnsafeMutableBytes {
        read(input, $0.baseAddress.map { $0 + start }, Self.chunkBytes)
      }
      if count < 0, errno != EINTR { throw SystemError("read \(source)") }
      pending.removeLast(Self.chunkBytes - max(0, count))
      if count == 0 { break }
      let end = pending.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
      let whole = end == 0 && pending.count >= Self.lineLimitBytes ? pending.count : end
      guard whole > 0 else { continue }
      try Self.write(redact(Array(pending[..<whole])), to: output, target)
      pending.removeFirst(whole)
    }
    try Self.write(redact(pending), to: output, target)
  }

  static func write(_ bytes: [UInt8], to target: String) throws(SystemError) {
    let output = try create(target)
    defer { close(output) }
    try write(bytes, to: output, target)
  }

  private static func create(_ path: String) throws(SystemError) -> Int32 {
    let output = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard output >= 0 else { throw SystemError("write \(path)") }
    return output
  }

  private static func write(
    _ bytes: [UInt8], to descriptor: Int32, _ path: String
  ) throws(SystemError) {
    do throws(POSIXFailure) {
      try WholeWrite.write(bytes, to: descriptor)
    } catch {
      throw SystemError("write \(path)", code: error.code)
    }
  }
}

/// What takes secrets out of what is kept.
package struct Redaction: Sendable {
  /// Of a file.
  package var bytes: @Sendable ([UInt8]) -> [UInt8] = { $0 }
  /// Of a stream, whose middle may be missing.
  package var output: @Sendable (CapturedText) -> CapturedText = { $0 }
  /// Of a trace, in words for programs.
  package var trace: @Sendable (Trace, ScenarioReference) -> [UInt8] = { _, _ in [] }

  package init() {}
}
