import Foundation

/// The store of one scenario: watched while the app runs, read after it and everything it started are
/// gone.
///
/// Holds one piece of one file at a time: a store of any size takes the same memory. Belongs to one
/// thread.
package final class StoreReader {
  private let path: String
  /// Whatever happens to its name, what is read is this folder.
  private let descriptor: Int32
  private let identity: FileIdentity
  private var files: [String: WatchedFile] = [:]
  private var lookCount = 0

  /// So many files are held open at most.
  private static let heldFileLimit = 16

  /// Opens the shared folder, before the app is launched.
  package init(folder: String) throws(StoreDamage) {
    path = folder
    descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    var status = stat()
    guard descriptor >= 0, fstat(descriptor, &status) == 0 else {
      throw StoreDamage(.init(file: folder, reason: .unreadable(code: errno)))
    }
    identity = FileIdentity(status)
  }

  deinit {
    close(descriptor)
  }

  /// Looks whether the store has only grown since the last look: one after each answer of the app.
  ///
  /// What is removed between two looks without ever having been seen is not noticed.
  ///
  /// - Parameter action: the one that was answered. A request that is there now and names a later one
  ///   is damage, which is told when the store is read.
  package func look(after action: Int) throws(StoreDamage) {
    var damage = StoreDamage()
    look(&damage, during: action)
    if !damage.isEmpty { throw damage }
  }

  /// Calls with the line of each request, in an order that the same store always gives: file by file, files by
  /// the look that found them first, so that a process comes after those that had ended before, then by the action
  /// and the time of their first request.
  ///
  /// - Parameter body: what it throws is damage of that line, too.
  /// - Throws: after everything that can be read has been read.
  package func forEachLine(
    _ body: (RecordedRequestLine) throws(RecordedLineFault) -> Void
  ) throws(StoreDamage) {
    var damage = StoreDamage()
    look(&damage, during: nil)
    for file in files.values.sorted(by: { $0.name < $1.name }) {
      if let reason = file.compare() { damage.add(.init(file: file.name, reason: reason)) }
    }
    let store = files.values.map {
      (look: $0.firstLook, file: StoreFile(name: $0.name, folder: descriptor, growth: $0.growth))
    }
    // A single file, as nearly always, need not be looked into for its place.
    let ordered =
      store.count < 2
      ? store.map(\.file)
      : store.map { ($0.file, (look: $0.look, start: $0.file.start)) }.sorted { $0.1 < $1.1 }
        .map(\.0)
    for file in ordered { file.forEachRequest(&damage, body) }
    if !damage.isEmpty { throw damage }
  }

  private func look(_ damage: inout StoreDamage, during action: Int?) {
    lookCount += 1
    if let reason = folderReason { damage.add(.init(file: path, reason: reason)) }
    do throws(POSIXFailure) {
      for name in try FolderListing.names(of: descriptor).sorted() where files[name] == nil {
        add(name, &damage)
      }
    } catch {
      damage.add(.init(file: path, reason: .unreadable(code: error.code)))
    }
    for file in files.values.sorted(by: { $0.name < $1.name }) {
      if let reason = file.look(during: action) {
        damage.add(.init(file: file.name, reason: reason))
      }
    }
  }

  private var folderReason: StoreDamage.Reason? {
    var status = stat()
    guard lstat(path, &status) == 0 else {
      return errno == ENOENT ? .folderVanished : .unreadable(code: errno)
    }
    return FileIdentity(status) == identity ? nil : .folderReplaced
  }

  private func add(_ name: String, _ damage: inout StoreDamage) {
    guard StoreLayout.isStoreFile(name) else {
      return damage.add(.init(file: name, reason: .misnamed))
    }
    do throws(LineFile.Failure) {
      let isHeld = files.count < Self.heldFileLimit
      files[name] = try WatchedFile(
        name, in: descriptor, isHeld: isHeld, firstLook: lookCount)
    } catch {
      damage.add(.init(file: name, reason: error.reason))
    }
  }
}
