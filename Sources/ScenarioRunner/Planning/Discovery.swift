import JSON
import ScenarioCore

/// Finds the scenario files that the PATHs of a command line mean.
package struct Discovery {
  /// A scenario file, with what was asked for in it; all of it where nothing was named.
  package struct File: Sendable, Equatable {
    package var path: String
    package var lines: [Int] = []
    /// Lines of a table of cases: only its rows there are meant.
    package var tableLines: [Int] = []
    /// Only the cases of this table.
    package var table: String?
    /// Whether it lies in a folder named `Steps`: then it may be no scenario.
    package var isAmongSteps = false
  }

  /// A PATH that leads nowhere.
  package struct Failure: Error, CustomStringConvertible {
    package var description: String
  }

  private static let stepsFolder = "Steps"
  private let files: any FileAccess

  package init(files: any FileAccess) {
    self.files = files
  }

  /// The files in the order of the PATHs, those of a folder by name; each once.
  ///
  /// A folder is walked as its files are asked for, and may hold very many.
  package func discover(_ paths: [ScenarioPath]) throws(Failure) -> AnySequence<File> {
    // Nothing comes twice from one.
    if paths.count == 1 { return try discover(paths[0]) }
    var found: [File] = []
    var places: [ByteText: Int] = [:]
    var folders: [ByteText: String] = [:]
    for path in paths {
      for file in try discover(path) {
        let identity = ByteText(identity(of: file.path, &folders))
        if let place = places[identity] {
          found[place] = union(found[place], file)
        } else {
          places[identity] = found.count
          found.append(file)
        }
      }
    }
    return AnySequence(found)
  }

  /// The path of a file, however its folder is spelled.
  ///
  /// - Parameter folders: those that are known, by their spellings.
  private func identity(of path: String, _ folders: inout [ByteText: String]) -> String {
    let folder = FilePath.folder(of: path)
    let resolved =
      folders[ByteText(folder)] ?? files.resolved(folder.isEmpty ? "." : folder) ?? folder
    folders[ByteText(folder)] = resolved
    return resolved + "/" + FilePath.lastComponent(path)
  }

  private func union(_ first: File, _ second: File) -> File {
    var both = first
    // The whole file was asked for, here or before, or some lines more.
    let isWhole = [first, second].contains { $0.lines.isEmpty && $0.table == nil }
    both.lines = isWhole ? [] : first.lines + second.lines
    both.tableLines = isWhole ? [] : first.tableLines + second.tableLines
    both.table = isWhole ? nil : first.table ?? second.table
    return both
  }

  private func discover(_ path: ScenarioPath) throws(Failure) -> AnySequence<File> {
    let lines = path.line.map { [$0] } ?? []
    switch files.kind(of: path.path) {
    case .file where path.path.lowercased().hasSuffix(".csv"):
      return AnySequence(
        neighbours(ofTable: path.path).map {
          File(path: $0, tableLines: lines, table: path.path, isAmongSteps: Self.isAmongSteps($0))
        })
    case .file:
      let isAmongSteps = Self.isAmongSteps(path.path)
      return AnySequence([File(path: path.path, lines: lines, isAmongSteps: isAmongSteps)])
    case .folder where path.line == nil:
      return AnySequence { FolderWalk(from: path.path, files: files) }
    case .folder: throw Failure(description: "\"\(path.path)\" is a folder: it has no lines.")
    case .other: throw Failure(description: "\"\(path.path)\" is neither a file nor a folder.")
    case nil: throw Failure(description: "There is no file or folder \"\(path.path)\".")
    }
  }

  /// The scenario files beside a table of cases, and in the folder above.
  private func neighbours(ofTable path: String) -> [String] {
    let folder = FilePath.folder(of: path)
    let above = folder.isEmpty ? ".." : FilePath.folder(of: folder)
    return [folder, above].flatMap { folder in
      files.names(inFolder: folder.isEmpty ? "." : folder)
        .filter { $0.hasSuffix(".json") && !$0.hasPrefix(".") }.sorted()
        .map { folder.isEmpty ? $0 : folder + "/" + $0 }
    }
  }

  fileprivate static func isAmongSteps(_ path: String) -> Bool {
    path.split(separator: "/").dropLast().contains { $0 == stepsFolder }
  }
}

/// The scenario files of a folder and those in it, each folder's by name.
private struct FolderWalk: IteratorProtocol {
  /// A folder with what of it is still to come.
  private struct Level {
    var path: String
    /// Links followed.
    var resolved: String
    var names: ArraySlice<String>
  }

  private let files: any FileAccess
  private var levels: [Level] = []
  /// A folder that can't be read, whose turn it is.
  private var unreadable: String?

  init(from folder: String, files: any FileAccess) {
    self.files = files
    enter(folder)
  }

  mutating func next() -> Discovery.File? {
    while true {
      if let path = unreadable.take() { return Discovery.File(path: path) }
      guard let last = levels.indices.last else { return nil }
      guard let name = levels[last].names.popFirst() else {
        levels.removeLast()
        continue
      }
      let path = levels[last].path + "/" + name
      switch files.kind(of: path) {
      case .folder: enter(path)
      // Whatever it is: what can't be read must be told. A link may lead nowhere, a name be in capitals.
      case .file, .other, nil:
        guard name.lowercased().hasSuffix(".json") else { continue }
        return Discovery.File(path: path, isAmongSteps: Discovery.isAmongSteps(path))
      }
    }
  }

  private mutating func enter(_ folder: String) {
    let resolved = files.resolved(folder) ?? folder
    // A link back to a folder that this one lies in would lead round for ever.
    guard !levels.contains(where: { $0.resolved.hasSameBytes(as: resolved) }) else { return }
    let path = folder.hasSuffix("/") ? String(folder.dropLast()) : folder
    let names = files.names(inFolder: folder)
    // What can't be read is found all the same: to leave it out would pass in silence.
    guard !names.isEmpty || files.canList(folder: folder) else {
      unreadable = path
      return
    }
    let shown = names.filter { !$0.hasPrefix(".") }.sorted()
    levels.append(Level(path: path, resolved: resolved, names: shown[...]))
  }
}

/// A PATH of the command line: a file, a folder, or a place in a file as messages print it,
/// `file:line` or `file:line:column`.
package struct ScenarioPath: Sendable, Equatable {
  package var path: String
  package var line: Int?

  package init(path: String, line: Int? = nil) {
    self.path = path
    self.line = line
  }

  /// Reads a PATH. Its column says no more than its line; a file or folder of that very name is meant
  /// before a place in another.
  package init(_ text: String, among files: any FileAccess) {
    self.init(path: text)
    var numbers = 0
    while numbers < 2, files.kind(of: path) == nil, let place = Self.place(path) {
      self = place
      numbers += 1
    }
  }

  /// Takes the last number off; `nil` where there is none.
  private static func place(_ text: String) -> ScenarioPath? {
    guard let colon = text.lastIndex(of: ":"), let number = Int(text[text.index(after: colon)...]),
      number > 0, colon != text.startIndex
    else { return nil }
    return ScenarioPath(path: String(text[..<colon]), line: number)
  }
}
