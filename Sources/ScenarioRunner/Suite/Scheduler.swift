import Foundation
import ScenarioCore
import Synchronization

/// Runs scenarios on threads of its own, so many at a time: those of the command, or those of all the
/// tests of a process.
///
/// Plain threads: a scenario blocks, which Swift concurrency's must not. What runs together shares a
/// folder and the supervision of the apps; when the last job has ended, nothing is left of either.
package final class Scheduler: Sendable {
  /// A job from its place in the queue to its end.
  private struct Queued {
    let job: ScenarioJob
    /// Among those that share the resources, from 0; `nil` before it has begun.
    var number: Int?
    /// Places in the plan of what is still to be started; the end may come to be known on the way.
    var places: Range<Int>
    /// How many workers are at it.
    var workers = 0
    var failures = 0
    /// With the last result.
    var ending: Result<ScenarioResult?, SystemError> = .success(nil)

    /// Whether there is something to start: a job that has nothing to run, or was cancelled, begins all the same.
    var hasMore: Bool {
      guard number != nil else { return true }
      guard case .success = ending, !job.isCancelled else { return false }
      return !places.isEmpty && failures < job.failureLimit.count ?? .max
    }

    var isOver: Bool { workers == 0 && (number == nil ? job.isCancelled : !hasMore) }
  }

  /// What a worker does next.
  private struct Turn {
    let job: ScenarioJob
    let jobNumber: Int
    /// A place in the plan; `nil` where the job has none.
    let place: Int?
    /// Nobody else has the number meanwhile.
    let worker: Int
    let session: RunSession
  }

  private struct State {
    /// In the order in which they came.
    var queue: [Queued] = []
    var workers: Set<Int> = []
    /// How many scenarios of a suite run.
    var running: [ObjectIdentifier: Int] = [:]
    /// Of the jobs that have begun.
    var session: RunSession?
    var begunJobs = 0

    /// Takes what has ended out of the queue.
    mutating func takeOver() -> [Queued] {
      guard queue.contains(where: \.isOver) else { return [] }
      // Each is asked once: it may be cancelled meanwhile, and what is taken has to be told.
      let areOver = queue.map(\.isOver)
      defer { queue = zip(queue, areOver).filter { !$1 }.map(\.0) }
      return zip(queue, areOver).filter(\.1).map(\.0)
    }

    /// - Parameter outcome: no result where the plan has no such place, and none after it.
    mutating func note(_ turn: Turn, _ outcome: Result<ScenarioResult?, SystemError>) {
      workers.remove(turn.worker)
      let suite = ObjectIdentifier(turn.job.suite)
      running[suite] = running[suite].flatMap { $0 > 1 ? $0 - 1 : nil }
      guard let index = queue.firstIndex(where: { $0.job === turn.job }) else { return }
      queue[index].workers -= 1
      switch outcome {
      case .failure: queue[index].ending = outcome
      case .success(nil):
        queue[index].places = queue[index].places.clamped(to: 0..<(turn.place ?? 0))
      case .success(let result?):
        if case .success = queue[index].ending { queue[index].ending = outcome }
        let limit = turn.job.failureLimit
        if result.failsRun(onFlaky: limit.includesFlaky) { queue[index].failures += 1 }
      }
    }
  }

  private let limit: Int
  private let temporaryDirectory: String
  private let seals: Set<NetworkSeal>
  private let state = Mutex(State())

  /// - Parameters:
  ///   - limit: how many scenarios run at a time; a suite with a higher limit of its own may have more.
  ///   - temporaryDirectory: where the folders of the runs are made.
  ///   - seals: what may keep the apps from the network; the strongest that the system allows does.
  package init(
    limit: Int, temporaryDirectory: String,
    seals: Set<NetworkSeal> = Set(NetworkSeal.allCases)
  ) {
    self.limit = max(1, limit)
    self.temporaryDirectory = temporaryDirectory
    self.seals = seals
  }

  /// Lets a job run when its turn comes.
  package func add(_ job: ScenarioJob) {
    state.withLock { $0.queue.append(Queued(job: job, places: job.entries)) }
    startWorkers()
  }

  /// Ends early what belongs together; what has not begun ends at once.
  package func cancel(_ cancellation: Cancellation, signal: Int32 = SIGTERM) {
    cancellation.cancel(signal: signal)
    // A session that is open stays: somebody is at work, who closes it.
    for over in state.withLock({ $0.takeOver() }) { over.job.ended(over.ending) }
  }

  /// Ends every app without grace; what they said is lost.
  package func killApps() { state.withLock { $0.session }?.killApps() }

  private func startWorkers() {
    while let turn = state.withLock({ takeTurn(&$0) }) {
      let code = WorkerThread.start { self.work(from: turn) }
      guard code != 0 else { continue }
      // Where somebody is at work already, there are fewer at a time.
      if state.withLock({ $0.workers.count > 1 }) {
        work(from: turn)
      } else {
        _ = finish(turn, .failure(SystemError("start a thread", code: code)))
      }
    }
  }

  private func work(from first: Turn) {
    BrokenPipes.blockSignal()
    var turn: Turn? = first
    while let current = turn { turn = finish(current, perform(current)) }
  }

  private func perform(_ turn: Turn) -> Result<ScenarioResult?, SystemError> {
    Result { () throws(SystemError) in
      let resources = try turn.session.open()
      try turn.job.begin(resources)
      guard let place = turn.place, !turn.job.isCancelled,
        let entry = turn.job.suite.entry(place, for: turn.job)
      else { return nil }
      // That of the first job is its place in the plan.
      let name = (turn.jobNumber == 0 ? "" : "\(turn.jobNumber)-") + "\(place + 1)"
      let runner = EntryRunner(
        job: turn.job, resources: resources, folderName: name, worker: turn.worker)
      let result = runner.run(entry, at: place)
      turn.job.happened(.scenarioFinished(result))
      return result
    }
  }

  /// - Returns: what the worker does next.
  private func finish(
    _ turn: Turn, _ outcome: Result<ScenarioResult?, SystemError>
  ) -> Turn? {
    let (over, lastSession, next) = state.withLock { state in
      state.note(turn, outcome)
      let over = state.takeOver()
      let isIdle = state.queue.isEmpty
      defer { if isIdle { state.session = nil } }
      // In the same moment: where a session is open, somebody is at work, who closes it.
      return (over, isIdle ? state.session : nil, takeTurn(&state))
    }
    // Before the end is known: when the last test ends, so may the process.
    lastSession?.close()
    for over in over { over.job.ended(over.ending) }
    return next
  }

  /// Takes the first that may start: a suite with few at a time does not hold up the others.
  private func takeTurn(_ state: inout State) -> Turn? {
    guard let index = state.queue.firstIndex(where: { mayStart($0, state) }) else { return nil }
    let session = state.session ?? RunSession(in: temporaryDirectory, appLimit: limit, seals: seals)
    if state.session == nil { (state.session, state.begunJobs) = (session, 0) }
    let job = state.queue[index].job
    let number = state.queue[index].number ?? state.begunJobs
    if state.queue[index].number == nil { state.begunJobs += 1 }
    state.queue[index].number = number
    state.queue[index].workers += 1
    let worker = (1...).first { !state.workers.contains($0) } ?? 1
    state.workers.insert(worker)
    state.running[ObjectIdentifier(job.suite), default: 0] += 1
    return Turn(
      job: job, jobNumber: number, place: state.queue[index].places.popFirst(), worker: worker,
      session: session)
  }

  private func mayStart(_ queued: Queued, _ state: State) -> Bool {
    let suite = queued.job.suite
    return queued.hasMore && state.workers.count < max(limit, suite.jobLimit)
      && state.running[ObjectIdentifier(suite), default: 0] < suite.jobLimit
  }
}

/// Opens the resources for the first job that needs them, and leaves nothing of them behind.
private final class RunSession: Sendable {
  /// More apps than that are not told to the watchdog by their groups, but found by their marks.
  private static let watchedApps = 1024

  private let temporaryDirectory: String
  private let appLimit: Int
  private let seals: Set<NetworkSeal>
  private let opened = Mutex<RunResources?>(nil)

  init(in temporaryDirectory: String, appLimit: Int, seals: Set<NetworkSeal>) {
    self.temporaryDirectory = temporaryDirectory
    self.appLimit = appLimit
    self.seals = seals
  }

  func open() throws(SystemError) -> RunResources {
    try opened.withLock { opened throws(SystemError) in
      if let opened { return opened }
      let new = try RunResources(
        in: temporaryDirectory, appLimit: max(appLimit, Self.watchedApps), seals: seals)
      opened = new
      return new
    }
  }

  func killApps() { opened.withLock { $0 }?.hunter.killAll() }

  func close() {
    opened.withLock { opened in
      opened?.close()
      opened = nil
    }
  }
}
