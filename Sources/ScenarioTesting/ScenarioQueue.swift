import Foundation
import ScenarioCore
import ScenarioRunner
import Synchronization

/// Runs the cases of all suites of this process, so many at a time as there are cores.
///
/// Each runs on a thread of its own: it blocks, which Swift concurrency's must not.
final class ScenarioQueue: Sendable {
  /// One for the process, because cores are.
  static let shared = ScenarioQueue(appLimit: ProcessInfo.processInfo.activeProcessorCount)

  private struct Job {
    var ticket: CaseTicket
    var suite: SuiteRun
    var entry: Int
    var continuation: CheckedContinuation<ScenarioResult, any Error>
  }

  private struct Start {
    var job: Job
    /// Nobody else has the number meanwhile.
    var worker: Int
    var session: QueueSession
  }

  private struct State {
    var waiting: [Job] = []
    var workers: Set<Int> = []
    var running: [ObjectIdentifier: Int] = [:]
    /// Of what runs now; `nil` while nothing does.
    var session: QueueSession?
  }

  private let appLimit: Int
  private let state = Mutex(State())

  init(appLimit: Int) {
    self.appLimit = appLimit
  }

  /// - Throws: `CancellationError` where the task was cancelled before the turn came.
  func result(ofEntry entry: Int, in suite: SuiteRun) async throws -> ScenarioResult {
    let ticket = CaseTicket()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        add(Job(ticket: ticket, suite: suite, entry: entry, continuation: continuation))
      }
    } onCancel: {
      cancel(ticket)
    }
  }

  private func add(_ job: Job) {
    let isCancelled = state.withLock { state in
      guard !job.ticket.isCancelled else { return true }
      state.waiting.append(job)
      return false
    }
    if isCancelled { job.continuation.resume(throwing: CancellationError()) }
    startWaiting()
  }

  private func cancel(_ ticket: CaseTicket) {
    ticket.cancel()
    let job = state.withLock { state in
      state.waiting.firstIndex { $0.ticket === ticket }.map { state.waiting.remove(at: $0) }
    }
    job?.continuation.resume(throwing: CancellationError())
  }

  private func startWaiting() {
    let starts = state.withLock { state in
      var starts: [Start] = []
      while let start = takeNext(&state) { starts.append(start) }
      return starts
    }
    for start in starts {
      Thread.detachNewThread { self.run(start) }
    }
  }

  /// The first that may start: a suite with few apps at a time does not hold up the others.
  private func takeNext(_ state: inout State) -> Start? {
    let index = state.waiting.firstIndex { job in
      state.workers.count < max(appLimit, job.suite.appLimit)
        && state.running[ObjectIdentifier(job.suite), default: 0] < job.suite.appLimit
    }
    guard let index else { return nil }
    let job = state.waiting.remove(at: index)
    let worker = (1...).first { !state.workers.contains($0) } ?? 1
    state.workers.insert(worker)
    state.running[ObjectIdentifier(job.suite), default: 0] += 1
    let session = state.session ?? QueueSession()
    state.session = session
    return Start(job: job, worker: worker, session: session)
  }

  private func run(_ start: Start) {
    BrokenPipes.blockSignal()
    let job = start.job
    let result = Result {
      try start.session.run(job.entry, of: job.suite, as: job.ticket, worker: start.worker)
    }
    let lastSession = state.withLock { state -> QueueSession? in
      state.workers.remove(start.worker)
      let count = state.running[ObjectIdentifier(job.suite), default: 1] - 1
      state.running[ObjectIdentifier(job.suite)] = count == 0 ? nil : count
      guard state.workers.isEmpty, state.waiting.isEmpty else { return nil }
      defer { state.session = nil }
      return state.session
    }
    // Before the result is known: when the last test ends, so may the process.
    lastSession?.close()
    job.continuation.resume(with: result)
    startWaiting()
  }
}
