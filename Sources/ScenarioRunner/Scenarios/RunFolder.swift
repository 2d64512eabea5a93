import CSupervision
import Foundation
import Synchronization

/// The folder of a run, which holds those of its scenarios, and is locked while the run lives.
package final class RunFolder: Sendable {
  private static let prefix = "scenario-run."
  private static let lockName = "lock"

  package let path: String
  private let lock: Int32
  private let remover = FolderRemover()
  private let discarded = Atomic<Int>(0)

  /// Creates it, after having removed those that dead runs left.
  package init(in temporaryDirectory: String) throws(SystemError) {
    Self.removeStale(in: temporaryDirectory)
    var template = Array((temporaryDirectory + "/" + Self.prefix + "XXXXXX").utf8CString)
    guard mkdtemp(&template) != nil else {
      throw SystemError("create a folder in \(temporaryDirectory)")
    }
    let created = String(
      decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    path = created
    // The lock appears under its name only once it is held: a run that starts at the same time takes
    // this folder for a dead run's otherwise.
    let unnamed = created + "/" + Self.lockName + ".new"
    lock = csupervision_open_locked(unnamed)
    guard lock >= 0, rename(unnamed, created + "/" + Self.lockName) == 0 else {
      throw SystemError("lock the folder \(created)")
    }
  }

  /// Removes the folder with everything in it.
  package func remove() {
    remover.finish()
    Self.remove(path)
    close(lock)
  }

  /// Takes a folder away from its place at once, and removes it at once or soon.
  func discard(_ path: String) {
    let (number, _) = discarded.wrappingAdd(1, ordering: .relaxed)
    let aside = "\(self.path)/discarded\(number)"
    if rename(path, aside) == 0 { remover.remove(aside) } else { FolderContents.remove(path) }
  }

  /// A folder whose lock nobody holds is of a run that was killed.
  private static func removeStale(in folder: String) {
    // The folder itself may be a link, as it is on macOS.
    for name in FolderContents.names(in: folder + "/.") ?? [] where name.hasPrefix(prefix) {
      let stale = folder + "/" + name
      // Without a lock file it is just being created, or none of ours.
      guard access(stale + "/" + lockName, F_OK) == 0 else { continue }
      let lock = csupervision_open_locked(stale + "/" + lockName)
      guard lock >= 0 else { continue }
      remove(stale)
      close(lock)
    }
  }

  /// The lock stays where anything else does: without it no later run would try again.
  private static func remove(_ folder: String) {
    for name in FolderContents.names(in: folder) ?? [] where name != lockName {
      FolderContents.remove(folder + "/" + name)
    }
    if FolderContents.names(in: folder) == [lockName] { FolderContents.remove(folder) }
  }
}
