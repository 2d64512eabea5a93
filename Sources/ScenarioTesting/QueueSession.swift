import Foundation
import ScenarioCore
import ScenarioRunner
import Synchronization

/// The folder and the supervision that scenarios share which run together, from the first of them to
/// the last; then nothing is left of either.
final class QueueSession: Sendable {
  private struct Opened {
    var folder: RunFolder
    var supervision: AppSupervision
  }

  /// More apps than that are not told to the watchdog by their groups, but found by their marks.
  private static let watchedApps = 1024

  private let opened = Mutex<Opened?>(nil)
  private let entries = Atomic(0)

  /// Blocks the calling thread.
  ///
  /// - Throws: `ScenarioSuiteError`, `CancellationError`.
  func run(
    _ index: Int, of suite: SuiteRun, as ticket: CaseTicket, worker: Int
  ) throws -> ScenarioResult {
    let (_, number) = entries.wrappingAdd(1, ordering: .relaxed)
    let (opened, cancellation): (Opened, Cancellation)
    do {
      (opened, cancellation) = (try open(), try ticket.begin())
    } catch let error as SystemError {
      throw ScenarioSuiteError(
        "The scenario can't start: \(error). Set TMPDIR to a folder that can be written.")
    }
    return EntryRunner(
      plan: suite.plan, settings: suite.settings, retries: suite.retries, folder: opened.folder,
      supervision: opened.supervision, cancellation: cancellation, emit: { _ in }
    ).run(
      suite.plan.entries[index], index: number, HomeFolders(in: opened.folder, worker: worker))
  }

  func close() {
    opened.withLock { opened in
      opened?.supervision.stop()
      opened?.folder.remove()
      opened = nil
    }
  }

  private func open() throws(SystemError) -> Opened {
    try opened.withLock { opened throws(SystemError) in
      if let opened { return opened }
      let folder = try RunFolder(in: Self.temporaryDirectory)
      let new = Opened(
        folder: folder,
        supervision: AppSupervision(capacity: Self.watchedApps, folder: folder))
      opened = new
      return new
    }
  }

  private static var temporaryDirectory: String {
    let path = ProcessInfo.processInfo.environment["TMPDIR"].flatMap { $0.isEmpty ? nil : $0 }
    let folder = path ?? "/tmp"
    return folder.count > 1 && folder.hasSuffix("/") ? String(folder.dropLast()) : folder
  }
}
