import Foundation
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
  package func discover(_ paths: [ScenarioPath]) throws(Failure) -> [File] {
    // Nothing comes twice from one, and a folder may hold very many.
    if paths.count == 1 { return try discover(paths[0]) }
    var found: [File] = []
    var places: [String: Int] = [:]
    for path in paths {
      for file in try discover(path) {
        if let place = places[file.path] {
          found[place] = union(found[place], file)
        } else {
          places[file.path] = found.count
          found.append(file)
        }
      }
    }
    return found
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

  private func discover(_ path: ScenarioPath) throws(Failure) -> [File] {
    let lines = path.line.map { [$0] } ?? []
    switch files.kind(of: path.path) {
    case .file where path.path.lowercased().hasSuffix(".csv"):
      return neighbours(ofTable: path.path).map {
        File(path: $0, tableLines: lines, table: path.path, isAmongSteps: isAmongSteps($0))
      }
    case .file:
      return [File(path: path.path, lines: lines, isAmongSteps: isAmongSteps(path.path))]
    case .folder where path.line == nil: return jsonFiles(under: path.path, within: [])
    case .folder: throw Failure(description: "\"\(path.path)\" is a folder: it has no lines.")
    case .other: throw Failure(description: "\"\(path.path)\" is neither a file nor a folder.")
    case nil: throw Failure(description: "There is no file or folder \"\(path.path)\".")
    }
  }

  /// - Parameter above: the folders that this one lies in, links followed: a link back to one of
  ///   them would lead round for ever.
  private func jsonFiles(under folder: String, within above: [String]) -> [File] {
    let resolved = files.resolved(folder) ?? folder
    guard !above.contains(resolved) else { return [] }
    let base = folder.hasSuffix("/") ? String(folder.dropLast()) : folder
    // What can't be read is found all the same: to leave it out would pass in silence.
    guard files.canList(folder: folder) else { return [File(path: base)] }
    return files.names(inFolder: folder).sorted().filter { !$0.hasPrefix(".") }.flatMap { name in
      let path = base + "/" + name
      switch files.kind(of: path) {
      case .folder: return jsonFiles(under: path, within: above + [resolved])
      case .file where name.hasSuffix(".json"), nil where name.hasSuffix(".json"):
        return [File(path: path, isAmongSteps: isAmongSteps(path))]
      default: return []
      }
    }
  }

  /// The scenario files beside a table of cases, and in the folder above.
  private func neighbours(ofTable path: String) -> [String] {
    let folder = (path as NSString).deletingLastPathComponent
    let above = folder.isEmpty ? ".." : (folder as NSString).deletingLastPathComponent
    return [folder, above].flatMap { folder in
      files.names(inFolder: folder.isEmpty ? "." : folder)
        .filter { $0.hasSuffix(".json") && !$0.hasPrefix(".") }.sorted()
        .map { folder.isEmpty ? $0 : folder + "/" + $0 }
    }
  }

  private func isAmongSteps(_ path: String) -> Bool {
    path.split(separator: "/").dropLast().contains { $0 == Self.stepsFolder }
  }
}
