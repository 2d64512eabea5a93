import CSupervision
import Foundation
import HarnessProtocol
import ScenarioCore
import Synchronization

/// The folder of a run, which holds those of its scenarios, and is locked while the run lives.
package final class RunFolder: Sendable {
  private static let prefix = "scenario-run."
  private static let lockName = "lock"

  package let path: String
  /// Of the folder itself, so that what is removed is what was made.
  private let descriptor: Int32
  private let lock: Int32
  private let remover = FolderRemover()
  private let discarded = Atomic<Int>(0)

  /// Creates it, for this user alone, after having removed those that this user's dead runs left.
  package init(in temporaryDirectory: String) throws(SystemError) {
    Self.removeStale(in: temporaryDirectory)
    var template = Array((temporaryDirectory + "/" + Self.prefix + "XXXXXX").utf8CString)
    guard mkdtemp(&template) != nil else {
      throw SystemError("create a folder in \(temporaryDirectory)")
    }
    let created = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    path = created
    descriptor = open(created, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { throw SystemError("open the folder \(created)") }
    // The lock appears under its name only once it is held: a run that starts at the same time takes
    // this folder for a dead run's otherwise.
    let unnamed = Self.lockName + ".new"
    lock = csupervision_open_locked(descriptor, unnamed, true)
    guard lock >= 0, renameat(descriptor, unnamed, descriptor, Self.lockName) == 0 else {
      throw SystemError("lock the folder \(created)")
    }
  }

  /// Removes the folder with everything in it.
  package func remove() {
    remover.finish()
    Self.remove(descriptor, at: path, in: AT_FDCWD)
    close(lock)
    close(descriptor)
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
    let parent = open(folder + "/.", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard parent >= 0 else { return }
    defer { close(parent) }
    let names = (try? FolderListing.names(of: parent)) ?? []
    for name in names where name.hasPrefix(prefix) {
      let stale = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
      guard stale >= 0 else { continue }
      defer { close(stale) }
      // Without a lock file it is just being created, or none of ours.
      guard isOwn(stale) else { continue }
      let lock = csupervision_open_locked(stale, lockName, false)
      guard lock >= 0 else { continue }
      remove(stale, at: name, in: parent)
      close(lock)
    }
  }

  /// Whether a folder is this user's, and nobody else could put anything into it.
  private static func isOwn(_ folder: Int32) -> Bool {
    var status = stat()
    return fstat(folder, &status) == 0 && status.st_uid == geteuid()
      && status.st_mode & 0o777 == 0o700
  }

  /// The lock stays where anything else does: without it no later run would try again.
  private static func remove(_ folder: Int32, at name: String, in parent: Int32) {
    FolderContents.empty(folder, but: lockName)
    guard (try? FolderListing.names(of: folder)) == [lockName] else { return }
    unlinkat(folder, lockName, 0)
    unlinkat(parent, name, AT_REMOVEDIR)
  }
}

/// The folders of one scenario: its store, its home, its temporary files; all empty at first.
///
/// A worker gives its home and its folder for temporary files to one scenario after another, as if they were
/// new each time.
struct ScenarioFolders: Sendable {
  let shared: String
  let home: String
  let temporary: String

  private static let mode: mode_t = 0o700

  /// - Parameters:
  ///   - name: unique in the run.
  ///   - worker: the number is nobody else's while the scenario runs.
  init(in folder: RunFolder, name: String, worker: Int) throws(SystemError) {
    shared = "\(folder.path)/\(name)-shared"
    home = "\(folder.path)/worker\(worker)-home"
    temporary = "\(folder.path)/worker\(worker)-tmp"
    try Self.make(shared)
    for path in [home, temporary] where mkdir(path, Self.mode) != 0 && !Self.isAsMade(path) {
      folder.discard(path)
      try Self.make(path)
    }
  }

  private static func make(_ path: String) throws(SystemError) {
    guard mkdir(path, mode) == 0 else { throw SystemError("create the folder \(path)") }
  }

  private static func isAsMade(_ path: String) -> Bool {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode == S_IFDIR | mode else { return false }
    return FolderContents.names(in: path)?.isEmpty ?? false
  }

  func openStore() throws(RunError) -> StoreReader {
    do throws(StoreDamage) {
      return try StoreReader(folder: shared)
    } catch {
      throw StoreErrors.damaged(error)
    }
  }

  /// The home stays until its worker needs it again.
  func remove() { FolderContents.remove(shared) }
}
