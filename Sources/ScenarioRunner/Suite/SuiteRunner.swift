import Foundation
import ScenarioCore
import Synchronization

/// Runs the scenarios of a plan, several at a time, and tells what happens.
package final class SuiteRunner: Sendable {
  private let plan: Plan
  private let options: SuiteOptions
  private let folder: RunFolder
  private let cancellation: Cancellation
  private let emit: @Sendable (RunEvent) -> Void
  private let supervision: AppSupervision
  private let entries: EntryRunner
  private let seal: NetworkSeal

  private struct Progress {
    var next = 0
    var failures = 0
  }

  private let progress = Mutex(Progress())

  /// - Parameter emit: called by one worker at a time.
  package init(
    plan: Plan, settings: RunSettings, options: SuiteOptions, folder: RunFolder,
    cancellation: Cancellation, emit: @escaping @Sendable (RunEvent) -> Void
  ) {
    self.plan = plan
    self.options = options
    self.folder = folder
    self.cancellation = cancellation
    let isOpen = settings.network == .open
    supervision = AppSupervision(
      capacity: options.jobs, folder: folder, seals: isOpen ? [] : options.seals)
    seal = isOpen ? .open : supervision.seal.kind
    let serial = NSLock()
    self.emit = { event in serial.withLock { emit(event) } }
    entries = EntryRunner(
      plan: plan, settings: settings, retries: options.retries, folder: folder,
      supervision: supervision, cancellation: cancellation, emit: self.emit)
  }

  /// Blocks the calling thread until the run has ended.
  ///
  /// - Parameter header: which seal holds is added to it.
  package func run(header: RunHeader) {
    let start = ContinuousClock.now
    var header = header
    header.seal = seal
    emit(.runStarted(header))
    for diagnostic in plan.diagnostics { emit(.diagnosed(diagnostic)) }
    work()
    supervision.stop()
    if let signal = cancellation.cancellingSignal { emit(.interrupted(signal: signal)) }
    emit(.runFinished(endedAt: Date(), duration: .now - start))
  }

  /// Ends every app without grace; what they said is lost.
  package func killApps() { supervision.killApps() }

  /// Plain threads: they block, which Swift concurrency's must not.
  private func work() {
    let workers = DispatchGroup()
    for worker in 1...max(1, min(options.jobs, plan.entries.count)) {
      workers.enter()
      Thread.detachNewThread {
        BrokenPipes.blockSignal()
        let homes = HomeFolders(in: self.folder, worker: worker)
        while let index = self.takeNext() { self.runEntry(at: index, homes) }
        workers.leave()
      }
    }
    workers.wait()
  }

  private func takeNext() -> Int? {
    progress.withLock { progress in
      let isFull = options.maximumFailures.map { progress.failures >= $0 } ?? false
      guard !isFull, cancellation.cancellingSignal == nil, progress.next < plan.entries.count else {
        return nil
      }
      defer { progress.next += 1 }
      return progress.next
    }
  }

  private func runEntry(at index: Int, _ homes: HomeFolders) {
    let result = entries.run(plan.entries[index], index: index, homes)
    if result.failsRun(onFlaky: options.failsOnFlaky) {
      progress.withLock { $0.failures += 1 }
    }
    emit(.scenarioFinished(result))
  }
}
